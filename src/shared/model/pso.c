/* SPDX-License-Identifier: MIT
 *
 * PSO: a FIFO per thread and address (Relaxer, Fig. 5, with exact fences).
 * Release order is a store-store fence; acquire needs nothing, for loads are
 * not reordered here.  An RMW waits for its own address only.
 */
#include "model/model.h"

const struct model model_pso = {
    .name = "pso",
    .words = "PSO",
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
