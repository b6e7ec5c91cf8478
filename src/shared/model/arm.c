/* SPDX-License-Identifier: MIT
 *
 * ARM: AArch64 as Arm's own model has it today (ArmARM M.b; aarch64.cat of the
 * herd distribution), for ordinary memory.  Its local order, lob, is the terms
 * below and their closure.  Two things are new against the form of 2020: the
 * store of an acquire-release instruction is before all that follows, and a
 * value that only selects (csel, the comparison of a CAS) is a dependency that
 * orders stores.
 *
 * C has two mappings: instructions of LSE, and loops of exclusives.  A binary
 * for plain armv8-a may run either.
 */
#include "model/model.h"

static const char *const ppo[] = {
    /* one location */
    "po-loc;[W]",
    /* dependencies */
    "addr",
    "data",
    "ctrl;[W]",
    "addr;po;[W]",
    "(addr|data);lrs",
    "(ctrl|addr;po);[isb];po",
    /* selections */
    "pick-addr;[W]",
    "pick-data;[W]",
    "pick-ctrl;[W]",
    "pick-addr;po;[W]",
    "(pick-addr|pick-data);lrs;ppo;[W]",
    "(pick-ctrl|pick-addr;po);[isb];po;[M]",
    /* RMWs */
    "rmw",
    "rmw;lrs;[A|Q]",
    "[AL];po",
    /* acquire and release */
    "[A|Q];po",
    "po;[L]",
    "[L];po;[A]",
    /* dmb, dsb; their kinds ld and st */
    "po;[full];po",
    "[R \\ NoRet];po;[rr];po;[R]",
    "[R \\ NoRet];po;[rw];po;[W]",
    "[W];po;[ww];po;[W]",
    "[W];po;[wr];po;[R]",
    NULL,
};

#define LD (MARK_RR | MARK_RW)
#define FULL MARK_FULL

#define FENCES                                                                 \
    [MAPPED_FENCE_ACQUIRE] = {"dmb ishld", LD, 0, 0, 0, false},                \
    [MAPPED_FENCE_RELEASE] = {"dmb ish", FULL, 0, 0, 0, false},                \
    [MAPPED_FENCE_ACQ_REL] = {"dmb ish", FULL, 0, 0, 0, false},                \
    [MAPPED_FENCE_SEQ_CST] = {"dmb ish", FULL, 0, 0, 0, false},                \
    [MAPPED_FENCE_SS] = {"dmb ishst", MARK_WW, 0, 0, 0, false},                \
    [MAPPED_FENCE_LL] = {"dmb ishld", LD, 0, 0, 0, false},                     \
    [MAPPED_FENCE_SL] = {"dmb ish", FULL, 0, 0, 0, false},                     \
    [MAPPED_FENCE_LS] = {"dmb ishld", LD, 0, 0, 0, false},                     \
    [MAPPED_FENCE_FULL] = {"dmb ish", FULL, 0, 0, 0, false}

#define STORES                                                                 \
    [MAPPED_STORE] = {"str", 0, 0, 0, 0, false},                               \
    [MAPPED_STORE_RELEASE] = {"stlr", 0, 0, 0, MARK_L, false},                 \
    [MAPPED_STORE_SEQ_CST] = {"stlr", 0, 0, 0, MARK_L, false}

#define ATOMICS                                                                \
    [MAPPED_RMW_RELAXED] = {"swp, ldadd, ...", 0, 0, 0, 0, false},             \
    [MAPPED_RMW_ACQUIRE] = {"swpa, ...", 0, 0, MARK_A, 0, false},              \
    [MAPPED_RMW_RELEASE] = {"swpl, ...", 0, 0, 0, MARK_L, false},              \
    [MAPPED_RMW_ACQ_REL] = {"swpal, ...", 0, 0, MARK_A, MARK_L, false},        \
    [MAPPED_RMW_SEQ_CST] = {"swpal, ...", 0, 0, MARK_A, MARK_L, false},        \
    [MAPPED_CAS_RELAXED] = {"cas", 0, 0, 0, 0, false},                         \
    [MAPPED_CAS_ACQUIRE] = {"casa", 0, 0, MARK_A, 0, false},                   \
    [MAPPED_CAS_RELEASE] = {"casl", 0, 0, 0, MARK_L, false},                   \
    [MAPPED_CAS_ACQ_REL] = {"casal", 0, 0, MARK_A, MARK_L, false},             \
    [MAPPED_CAS_SEQ_CST] = {"casal", 0, 0, MARK_A, MARK_L, false}

#define EXCLUSIVES                                                             \
    [MAPPED_RMW_RELAXED] = {"ldxr, stxr", 0, 0, 0, 0, false},                  \
    [MAPPED_RMW_ACQUIRE] = {"ldaxr, stxr", 0, 0, MARK_A, 0, false},            \
    [MAPPED_RMW_RELEASE] = {"ldxr, stlxr", 0, 0, 0, MARK_L, false},            \
    [MAPPED_RMW_ACQ_REL] = {"ldaxr, stlxr", 0, 0, MARK_A, MARK_L, false},      \
    [MAPPED_RMW_SEQ_CST] = {"ldaxr, stlxr", 0, 0, MARK_A, MARK_L, false},      \
    [MAPPED_CAS_RELAXED] = {"ldxr, bne, stxr", 0, 0, 0, 0, true},              \
    [MAPPED_CAS_ACQUIRE] = {"ldaxr, bne, stxr", 0, 0, MARK_A, 0, true},        \
    [MAPPED_CAS_RELEASE] = {"ldxr, bne, stlxr", 0, 0, 0, MARK_L, true},        \
    [MAPPED_CAS_ACQ_REL] = {"ldaxr, bne, stlxr", 0, 0, MARK_A, MARK_L, true},  \
    [MAPPED_CAS_SEQ_CST] = {"ldaxr, bne, stlxr", 0, 0, MARK_A, MARK_L, true}

static const struct model_mapping lse = {
    .name = "lse",
    .words = "atomics as instructions (LSE, armv8.1-a)",
    .rows =
        {
            [MAPPED_LOAD] = {"ldr", 0, 0, 0, 0, false},
            [MAPPED_LOAD_ACQUIRE] = {"ldar", 0, 0, MARK_A, 0, false},
            [MAPPED_LOAD_SEQ_CST] = {"ldar", 0, 0, MARK_A, 0, false},
            STORES,
            ATOMICS,
            FENCES,
        },
};

static const struct model_mapping llsc = {
    .name = "llsc",
    .words = "atomics as loops of exclusives (armv8-a)",
    .rmw_pairs = true,
    .cas_pairs = true,
    .rows =
        {
            [MAPPED_LOAD] = {"ldr", 0, 0, 0, 0, false},
            [MAPPED_LOAD_ACQUIRE] = {"ldar", 0, 0, MARK_A, 0, false},
            [MAPPED_LOAD_SEQ_CST] = {"ldar", 0, 0, MARK_A, 0, false},
            STORES,
            EXCLUSIVES,
            FENCES,
        },
};

/* What armv8.3-a and later may get: acquire loads that are ldapr. */
static const struct model_mapping rcpc = {
    .name = "rcpc",
    .words = "as lse, and acquire loads are ldapr (armv8.3-a, +rcpc)",
    .rows =
        {
            [MAPPED_LOAD] = {"ldr", 0, 0, 0, 0, false},
            [MAPPED_LOAD_ACQUIRE] = {"ldapr", 0, 0, MARK_Q, 0, false},
            [MAPPED_LOAD_SEQ_CST] = {"ldar", 0, 0, MARK_A, 0, false},
            STORES,
            ATOMICS,
            FENCES,
        },
};

static const struct model_mapping llsc_rcpc = {
    .name = "llsc-rcpc",
    .words = "as llsc, and acquire loads are ldapr",
    .rmw_pairs = true,
    .cas_pairs = true,
    .rows =
        {
            [MAPPED_LOAD] = {"ldr", 0, 0, 0, 0, false},
            [MAPPED_LOAD_ACQUIRE] = {"ldapr", 0, 0, MARK_Q, 0, false},
            [MAPPED_LOAD_SEQ_CST] = {"ldar", 0, 0, MARK_A, 0, false},
            STORES,
            EXCLUSIVES,
            FENCES,
        },
};

#define AXIOMS_WITH(is_weakest, ...)                                           \
    {                                                                          \
        .stands = "ARM processors of 64 bits: phones, servers, Apple's",       \
        .assembly = "AArch64",                                                 \
        .ppo = ppo,                                                            \
        .parts = PARTS_OBSERVED,                                               \
        .edges = EDGE_ALL,                                                     \
        .weakest = (is_weakest),                                               \
        .mappings = {__VA_ARGS__},                                             \
    }
#define AXIOMS(...) AXIOMS_WITH(false, __VA_ARGS__)
#define AXIOMS_OF_ANY(...) AXIOMS_WITH(true, __VA_ARGS__)

static const struct model_axioms axioms = AXIOMS(&lse, &llsc, &rcpc);
static const struct model_axioms llsc_axioms = AXIOMS(&llsc);
static const struct model_axioms rcpc_axioms = AXIOMS(&rcpc);
static const struct model_axioms llsc_rcpc_axioms = AXIOMS(&llsc_rcpc);
static const struct model_axioms any_axioms = AXIOMS_OF_ANY(&llsc, &lse);
static const struct model_axioms any_lse_axioms = AXIOMS_OF_ANY(&lse);
static const struct model_axioms any_llsc_axioms = AXIOMS_OF_ANY(&llsc);
static const struct model_axioms any_rcpc_axioms =
    AXIOMS_OF_ANY(&llsc_rcpc, &rcpc);

#define ARM(text, stated)                                                      \
    {                                                                          \
        .name = text,                                                          \
        .words = "ARM",                                                        \
        .axioms = &(stated),                                                   \
        .delays_stores = true,                                                 \
        .reorders_stores = true,                                               \
        .reorders_loads = true,                                                \
        .by_axioms = true,                                                     \
    }

const struct model model_arm = ARM("arm", axioms);
const struct model model_arm_llsc = ARM("arm-llsc", llsc_axioms);
const struct model model_arm_rcpc = ARM("arm-rcpc", rcpc_axioms);
const struct model model_arm_llsc_rcpc = ARM("arm-llsc-rcpc", llsc_rcpc_axioms);
const struct model model_arm_any = ARM("arm-any", any_axioms);
const struct model model_arm_any_lse = ARM("arm-any-lse", any_lse_axioms);
const struct model model_arm_any_llsc = ARM("arm-any-llsc", any_llsc_axioms);
const struct model model_arm_any_rcpc = ARM("arm-any-rcpc", any_rcpc_axioms);
