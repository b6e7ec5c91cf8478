/* SPDX-License-Identifier: MIT
 *
 * C11: what the language itself promises, on any machine and with any compiler
 * (RC11, docs/models.md).  No recipe turns its constructs into fences: each
 * keeps its own memory order, and what comes before what is happens-before.  It
 * is axioms only, and fencer verify alone knows it.
 */
#include "model/model.h"

const struct model model_c11 = {
    .name = "c11",
    .words = "C11",
    .delays_stores = true,
    .reorders_stores = true,
    .reorders_loads = true,
    .by_language = true,
};
