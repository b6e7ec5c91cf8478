/* SPDX-License-Identifier: MIT
 *
 * Another toy: TSO whose loads may return older values.  Each question has an
 * answer of its own; this one differs from PSLO in what it says of stores.
 */
#include "model/model.h"

extern const struct model model_tslo;

const struct model model_tslo = {
    .name = "tslo",
    .words = "TSO with older loads",
    .delays_stores = true,
    .reorders_loads = true,
    .rmw_drains_all = true,
    .recipe =
        {
            [C_LOAD_ACQUIRE] = {0, FENCE_LL},
            [C_STORE_SEQ_CST] = {FENCE_FULL, FENCE_FULL},
            [C_RMW_ACQUIRE] = {0, FENCE_LL},
            [C_RMW_ACQ_REL] = {0, FENCE_LL},
            [C_RMW_SEQ_CST] = {FENCE_FULL, FENCE_FULL},
            [C_CAS_FAIL_ACQUIRE] = {0, FENCE_LL},
            [C_FENCE_ACQUIRE] = {FENCE_LL, 0},
            [C_FENCE_ACQ_REL] = {FENCE_LL, 0},
            [C_FENCE_SEQ_CST] = {FENCE_FULL, 0},
            [C_LOCK] = {0, FENCE_LL},
            [C_WAIT] = {0, FENCE_LL},
        },
};
