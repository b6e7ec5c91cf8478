/* SPDX-License-Identifier: MIT
 *
 * PSLO: PSO, and a load may return an older value (Relaxer, Fig. 6, with exact
 * fences).  Acquire order becomes a load-load fence after the access.
 */
#include "model/model.h"

static const char *const ppo[] = {
    "[R];po;[W]",         "po-loc;[W]",
    "[R];po-loc;[R]",     "[R];po;[RMW]",
    "[W];po-loc;[RMW]",   "[R];po;[rr];po;[R]",
    "[W];po;[ww];po;[W]", "[W];po;[wr];po;[R]",
    "po;[full];po",       NULL,
};

static const struct model_axioms axioms = {
    .stands = "a processor that also reorders loads (Relaxer); no dependency "
              "counts, as on Alpha",
    .ppo = ppo,
    .merge = true,
    .edges = EDGE_ALL,
};

/* Every machine but Alpha.  That loads of one address stay in order follows
 * from coherence; as a step of the order it would carry that of dependencies
 * further than machines do, who read one store twice (RSW), or forward an RMW's
 * store, without waiting.  No other order goes through that step: whatever is
 * before the first of two such loads, or after the second, is so of both. */
static const char *const ppo_deps[] = {
    "addr;[R]",           "[R];po;[W]",
    "po-loc;[W]",         "[R];po;[RMW]",
    "[W];po-loc;[RMW]",   "[R];po;[rr];po;[R]",
    "[W];po;[ww];po;[W]", "[W];po;[wr];po;[R]",
    "po;[full];po",       NULL,
};

static const struct model_axioms axioms_deps = {
    .stands = "PSLO with dependent loads in order",
    .ppo = ppo_deps,
    .merge = true,
    .edges = EDGE_ALL,
};

#define RECIPE                                                                 \
    {                                                                          \
        [C_LOAD_ACQUIRE] = {0, FENCE_LL},                                      \
        [C_STORE_RELEASE] = {FENCE_SS, 0},                                     \
        [C_STORE_SEQ_CST] = {FENCE_FULL, FENCE_FULL},                          \
        [C_RMW_ACQUIRE] = {0, FENCE_LL},                                       \
        [C_RMW_RELEASE] = {FENCE_SS, 0},                                       \
        [C_RMW_ACQ_REL] = {FENCE_SS, FENCE_LL},                                \
        [C_RMW_SEQ_CST] = {FENCE_FULL, FENCE_FULL},                            \
        [C_CAS_FAIL_ACQUIRE] = {0, FENCE_LL},                                  \
        [C_FENCE_ACQUIRE] = {FENCE_LL, 0},                                     \
        [C_FENCE_RELEASE] = {FENCE_SS, 0},                                     \
        [C_FENCE_ACQ_REL] = {FENCE_SS | FENCE_LL, 0},                          \
        [C_FENCE_SEQ_CST] = {FENCE_FULL, 0},                                   \
        [C_LOCK] = {0, FENCE_LL},                                              \
        [C_UNLOCK] = {FENCE_SS, 0},                                            \
        [C_POST] = {FENCE_SS, 0},                                              \
        [C_WAIT] = {0, FENCE_LL},                                              \
    }

static const struct model with_deps = {
    .name = "pslo",
    .words = "PSLO",
    .axioms = &axioms_deps,
    .keeps_dependent = true,
    .delays_stores = true,
    .reorders_stores = true,
    .reorders_loads = true,
    .recipe = RECIPE,
};

const struct model model_pslo = {
    .name = "pslo",
    .words = "PSLO",
    .with_deps = &with_deps,
    .axioms = &axioms,
    .delays_stores = true,
    .reorders_stores = true,
    .reorders_loads = true,
    .recipe = RECIPE,
};
