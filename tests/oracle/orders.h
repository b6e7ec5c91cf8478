/* SPDX-License-Identifier: MIT
 *
 * Relaxed (docs/models.md) where accesses have different sizes, by every total
 * order of a program's accesses.  For small programs without branches.
 */
#ifndef ORACLE_ORDERS_H
#define ORACLE_ORDERS_H

#include "lower.h"
#include "outcomes.h"

/* All outcomes of p.  False, and nothing done: it has more than plain and
 * atomic accesses of constants, and fences. */
bool orders_outcomes(struct outcomes *out, const struct program *p);

#endif
