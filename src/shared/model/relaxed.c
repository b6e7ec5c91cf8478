/* SPDX-License-Identifier: MIT
 *
 * Relaxed (CheckFence, section 2.3): PSLO, and a load may also take effect
 * after a later store, and two loads of one address in either order.  It is
 * axioms only: no machine has it, and only fencer check knows it.
 */
#include "model/model.h"

static const char *const ppo[] = {
    "po-loc;[W]",         "[R & AT];po-loc;[R & AT]",
    "[R];po;[rr];po;[R]", "[R];po;[rw];po;[W]",
    "[W];po;[ww];po;[W]", "[W];po;[wr];po;[R]",
    "po;[full];po",       NULL,
};

static const struct model_axioms axioms = {
    .stands = "what CheckFence checks against; no machine is as weak",
    .ppo = ppo,
    .merge = true,
    .edges = EDGE_ALL,
    .loads_free = true,
};

const struct model model_relaxed = {
    .name = "relaxed",
    .words = "Relaxed",
    .axioms = &axioms,
    .delays_stores = true,
    .reorders_stores = true,
    .reorders_loads = true,
    .loads_move_down = true,
    .recipe =
        {
            [C_LOAD_ACQUIRE] = {0, FENCE_LL | FENCE_LS},
            [C_STORE_RELEASE] = {FENCE_LS | FENCE_SS, 0},
            [C_STORE_SEQ_CST] = {FENCE_FULL, FENCE_FULL},
            [C_RMW_ACQUIRE] = {0, FENCE_LL | FENCE_LS},
            [C_RMW_RELEASE] = {FENCE_LS | FENCE_SS, 0},
            [C_RMW_ACQ_REL] = {FENCE_LS | FENCE_SS, FENCE_LL | FENCE_LS},
            [C_RMW_SEQ_CST] = {FENCE_FULL, FENCE_FULL},
            [C_CAS_FAIL_ACQUIRE] = {0, FENCE_LL | FENCE_LS},
            [C_FENCE_ACQUIRE] = {FENCE_LL | FENCE_LS, 0},
            [C_FENCE_RELEASE] = {FENCE_LS | FENCE_SS, 0},
            [C_FENCE_ACQ_REL] = {FENCE_LS | FENCE_SS | FENCE_LL, 0},
            [C_FENCE_SEQ_CST] = {FENCE_FULL, 0},
            [C_LOCK] = {0, FENCE_LL | FENCE_LS},
            [C_UNLOCK] = {FENCE_LS | FENCE_SS, 0},
            [C_POST] = {FENCE_LS | FENCE_SS, 0},
            [C_WAIT] = {0, FENCE_LL | FENCE_LS},
        },
};
