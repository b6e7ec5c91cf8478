/* SPDX-License-Identifier: MIT
 *
 * All outcomes of a litmus test by the engine of fencer check (src/check): the
 * threads become its load-store language, so nothing is compiled.  Assembly has
 * a mapping of its own, as in graphs.h.
 */
#ifndef LITMUS_FORMULA_H
#define LITMUS_FORMULA_H

#include "litmus/execute.h"
#include "model/model.h"

/* Calls `found' once for every outcome that the model allows; of registers it
 * has those that are shown.  u->threads are as compiled for the model.  False:
 * u->why says what stands against it. */
bool formula_all(struct unfold *u, const struct model *m, const char *mapping,
                 found_execution *found, void *arg);

#endif
