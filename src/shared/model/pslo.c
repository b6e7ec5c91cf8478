/* SPDX-License-Identifier: MIT
 *
 * PSLO: PSO, and a load may return an older value (Relaxer, Fig. 6, with exact
 * fences).  Acquire order becomes a load-load fence after the access.
 */
#include "model/model.h"

const struct model model_pslo = {
    .name = "pslo",
    .words = "PSLO",
    .delays_stores = true,
    .reorders_stores = true,
    .reorders_loads = true,
    .recipe =
        {
            [C_LOAD_ACQUIRE] = {0, FENCE_LL},
            [C_STORE_RELEASE] = {FENCE_SS, 0},
            [C_STORE_SEQ_CST] = {FENCE_FULL, FENCE_FULL},
            [C_RMW_ACQUIRE] = {0, FENCE_LL},
            [C_RMW_RELEASE] = {FENCE_SS, 0},
            [C_RMW_ACQ_REL] = {FENCE_SS, FENCE_LL},
            [C_RMW_SEQ_CST] = {FENCE_FULL, FENCE_FULL},
            [C_CAS_FAIL_ACQUIRE] = {0, FENCE_LL},
            [C_FENCE_ACQUIRE] = {FENCE_LL, 0},
            [C_FENCE_RELEASE] = {FENCE_SS, 0},
            [C_FENCE_ACQ_REL] = {FENCE_SS | FENCE_LL, 0},
            [C_FENCE_SEQ_CST] = {FENCE_FULL, 0},
            [C_LOCK] = {0, FENCE_LL},
            [C_UNLOCK] = {FENCE_SS, 0},
            [C_POST] = {FENCE_SS, 0},
            [C_WAIT] = {0, FENCE_LL},
        },
};
