/* SPDX-License-Identifier: MIT
 *
 * A toy model for the test that adds one: PSO on which an RMW waits for the
 * whole buffer, as on x86.  It lies strictly between TSO and PSO: plain stores
 * are reordered, but none of them is overtaken by an RMW.
 */
#include "model/model.h"

extern const struct model model_psodrain;

const struct model model_psodrain = {
    .name = "psodrain",
    .words = "PSO whose RMWs drain",
    .delays_stores = true,
    .reorders_stores = true,
    .rmw_drains_all = true,
    .recipe =
        {
            [C_STORE_RELEASE] = {FENCE_SS, 0},
            [C_STORE_SEQ_CST] = {FENCE_FULL, FENCE_FULL},
            [C_RMW_SEQ_CST] = {FENCE_FULL, FENCE_FULL},
            [C_FENCE_RELEASE] = {FENCE_SS, 0},
            [C_FENCE_ACQ_REL] = {FENCE_SS, 0},
            [C_FENCE_SEQ_CST] = {FENCE_FULL, 0},
            [C_UNLOCK] = {FENCE_SS, 0},
            [C_POST] = {FENCE_SS, 0},
        },
};
