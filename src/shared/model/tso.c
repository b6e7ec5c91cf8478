/* SPDX-License-Identifier: MIT
 *
 * TSO: one FIFO store buffer per thread (Relaxer, Fig. 4).  An RMW, also a
 * failing CAS, and a full fence drain it, so most constructs need nothing
 * more; the recipes are the TSO column of the table in docs/models.md.
 */
#include "model/model.h"

static const char *const ppo[] = {
    "[R];po;[M]",         "[W];po;[W]",   "[W];po;[RMW]",
    "[W];po;[wr];po;[R]", "po;[full];po", NULL,
};

static const struct model_axioms axioms = {
    .stands = "x86 and x86-64 processors, and SPARC in its usual mode",
    .assembly = "X86",
    .ppo = ppo,
    .merge = true,
    .edges = EDGE_ALL,
};

const struct model model_tso = {
    .name = "tso",
    .words = "x86 (TSO)",
    .machine = "x86",
    .axioms = &axioms,
    .delays_stores = true,
    .rmw_drains_all = true,
    .recipe =
        {
            [C_STORE_SEQ_CST] = {0, FENCE_FULL},
            [C_RMW_SEQ_CST] = {FENCE_FULL, FENCE_FULL},
            [C_FENCE_SEQ_CST] = {FENCE_FULL, 0},
            [C_LOCK] = {FENCE_FULL, FENCE_FULL},
            [C_UNLOCK] = {FENCE_FULL, FENCE_FULL},
            [C_POST] = {FENCE_FULL, FENCE_FULL},
            [C_WAIT] = {FENCE_FULL, FENCE_FULL},
        },
};
