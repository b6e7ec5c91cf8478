/* SPDX-License-Identifier: MIT
 *
 * The models a second time, as axioms: a total order <M over loads, stores and
 * RMWs (docs/models.md), and the only way to run CheckFence's Relaxed.
 * Shares only the table of C constructs with the machines of enumerate.c.
 */
#ifndef ORACLE_AXIOMS_H
#define ORACLE_AXIOMS_H

#include "lower.h"
#include "outcomes.h"

/* All outcomes of p.  False, and nothing done, if the axioms do not speak of
 * such a program, or it is too large for them: see paths.h. */
bool axioms_outcomes(struct outcomes *out, const struct program *p,
                     enum model model);

#endif
