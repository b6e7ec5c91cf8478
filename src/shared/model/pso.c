/* SPDX-License-Identifier: MIT
 *
 * PSO: a FIFO per thread and address (Relaxer, Fig. 5, with exact fences).
 * Release order is a store-store fence; acquire needs nothing, for loads are
 * not reordered here.  An RMW waits for its own address only.
 */
#include "model/model.h"

static const char *const ppo[] = {
    "[R];po;[M]",
    "po-loc;[W]",
    "[W];po-loc;[RMW]",
    "[W];po;[ww];po;[W]",
    "[W];po;[wr];po;[R]",
    "po;[full];po",
    NULL,
};

static const struct model_axioms axioms = {
    .stands = "SPARC processors in PSO mode",
    .ppo = ppo,
    .merge = true,
    .edges = EDGE_ALL,
};

const struct model model_pso = {
    .name = "pso",
    .words = "PSO",
    .axioms = &axioms,
    .delays_stores = true,
    .reorders_stores = true,
    .recipe =
        {
            [C_STORE_RELEASE] = {FENCE_SS, 0},
            [C_STORE_SEQ_CST] = {FENCE_FULL, FENCE_FULL},
            [C_RMW_RELEASE] = {FENCE_SS, 0},
            [C_RMW_ACQ_REL] = {FENCE_SS, 0},
            [C_RMW_SEQ_CST] = {FENCE_FULL, FENCE_FULL},
            [C_FENCE_RELEASE] = {FENCE_SS, 0},
            [C_FENCE_ACQ_REL] = {FENCE_SS, 0},
            [C_FENCE_SEQ_CST] = {FENCE_FULL, 0},
            [C_UNLOCK] = {FENCE_SS, 0},
            [C_POST] = {FENCE_SS, 0},
        },
};
