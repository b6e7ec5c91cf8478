/* SPDX-License-Identifier: MIT
 *
 * RISC-V: RVWMO, the unprivileged specification's chapter on memory, and the
 * psABI's mapping of C.  The numbers are those of its rules.  Rule 2 follows
 * from fre;rfe, and rules 3 and 12 name the store that could be forwarded, not
 * the one that was: if the load took another, coe;rfe gives the same edge.  So
 * ppo never looks at rf.  An AMO is one operation; LR and SC are two.
 *
 * `r ? a : b` is a branch, or arithmetic, as the compiler likes: the one keeps
 * all later stores behind r, the other what uses the value.  What both keep is
 * here (docs/decisions/19-dependencies.md): stores, no loads.
 */
#include "model/model.h"

static const char *const ppo[] = {
    "po-loc;[W]",                         /* 1 */
    "[W & (AMO|X)];lrs",                  /* 3 */
    "[R];po;[rr];po;[R]",                 /* 4 */
    "[R];po;[rw];po;[W]",                 /* 4 */
    "[W];po;[wr];po;[R]",                 /* 4 */
    "[W];po;[ww];po;[W]",                 /* 4 */
    "[A];po;[M]",                         /* 5 */
    "[M];po;[L]",                         /* 6 */
    "[(A|L)&(AMO|X)];po;[(A|L)&(AMO|X)]", /* 7 */
    "rmw",                                /* 8 */
    "addr;[M]",                           /* 9 */
    "data;[W]",                           /* 10 */
    "ctrl;[W]",                           /* 11 */
    "(addr|data);[W];lrs",                /* 12 */
    "addr;[M];po;[W]",                    /* 13 */
    /* selections */
    "pick-addr;[W]",
    "pick-data;[W]",
    "pick-ctrl;[W]",
    "pick-addr;[M];po;[W]",
    "(pick-addr|pick-data);[W];lrs;ppo;[W]",
    NULL,
};

#define R_RW (MARK_RR | MARK_RW)
#define RW_W (MARK_RW | MARK_WW)
#define RW_RW (MARK_RR | MARK_RW | MARK_WR | MARK_WW)
#define AQRL (MARK_A | MARK_L)

const struct model_mapping model_psabi =
    {
        .name = "psabi",
        .words = "the psABI's mapping",
        .cas_pairs = true,
        .status_branch = true,
        .rows =
            {
                [MAPPED_LOAD] = {"lw", 0, 0, 0, 0, false},
                [MAPPED_LOAD_ACQUIRE] = {"lw; fence r,rw", 0, R_RW, 0, 0,
                                         false},
                [MAPPED_LOAD_SEQ_CST] = {"fence rw,rw; lw; fence r,rw", RW_RW,
                                         R_RW, 0, 0, false},
                [MAPPED_STORE] = {"sw", 0, 0, 0, 0, false},
                [MAPPED_STORE_RELEASE] = {"fence rw,w; sw", RW_W, 0, 0, 0,
                                          false},
                [MAPPED_STORE_SEQ_CST] = {"fence rw,w; sw; fence rw,rw", RW_W,
                                          RW_RW, 0, 0, false},
                [MAPPED_RMW_RELAXED] = {"amo", 0, 0, 0, 0, false},
                [MAPPED_RMW_ACQUIRE] = {"amo.aq", 0, 0, MARK_A, MARK_A, false},
                [MAPPED_RMW_RELEASE] = {"amo.rl", 0, 0, MARK_L, MARK_L, false},
                [MAPPED_RMW_ACQ_REL] = {"amo.aqrl", 0, 0, AQRL, AQRL, false},
                [MAPPED_RMW_SEQ_CST] = {"amo.aqrl", 0, 0, AQRL, AQRL, false},
                [MAPPED_CAS_RELAXED] = {"lr; bne; sc", 0, 0, 0, 0, true},
                [MAPPED_CAS_ACQUIRE] = {"lr.aq; bne; sc", 0, 0, MARK_A, 0,
                                        true},
                [MAPPED_CAS_RELEASE] = {"lr; bne; sc.rl", 0, 0, 0, MARK_L,
                                        true},
                [MAPPED_CAS_ACQ_REL] = {"lr.aq; bne; sc.rl", 0, 0, MARK_A,
                                        MARK_L, true},
                [MAPPED_CAS_SEQ_CST] = {"lr.aqrl; bne; sc.rl", 0, 0, AQRL,
                                        MARK_L, true},
                [MAPPED_FENCE_ACQUIRE] = {"fence r,rw", R_RW, 0, 0, 0, false},
                [MAPPED_FENCE_RELEASE] = {"fence rw,w", RW_W, 0, 0, 0, false},
                [MAPPED_FENCE_ACQ_REL] = {"fence.tso", FENCE_MARKS_LIGHT,
                                          0, 0, 0, false},
                [MAPPED_FENCE_SEQ_CST] = {"fence rw,rw", RW_RW, 0, 0, 0, false},
                [MAPPED_FENCE_SS] = {"fence w,w", MARK_WW, 0, 0, 0, false},
                [MAPPED_FENCE_LL] = {"fence r,r", MARK_RR, 0, 0, 0, false},
                [MAPPED_FENCE_SL] = {"fence w,r", MARK_WR, 0, 0, 0, false},
                [MAPPED_FENCE_LS] = {"fence r,w", MARK_RW, 0, 0, 0, false},
                [MAPPED_FENCE_FULL] = {"fence rw,rw", RW_RW, 0, 0, 0, false},
            },
};

#define AXIOMS(is_weakest)                                                     \
    {                                                                          \
        .stands = "RISC-V processors (RVWMO)",                                 \
        .assembly = "RISCV",                                                   \
        .ppo = ppo,                                                            \
        .merge = true,                                                         \
        .parts = PARTS_ONE_NODE,                                               \
        .edges = EDGE_ALL,                                                     \
        .lrs_unprotects = true,                                                \
        .weakest = (is_weakest),                                               \
        .mappings = {&model_psabi},                                            \
    }

static const struct model_axioms axioms = AXIOMS(false);
static const struct model_axioms any_axioms = AXIOMS(true);

#define RISCV(text, stated)                                                    \
    {                                                                          \
        .name = text,                                                          \
        .words = "RISC-V",                                                     \
        .axioms = &(stated),                                                   \
        .delays_stores = true,                                                 \
        .reorders_stores = true,                                               \
        .reorders_loads = true,                                                \
        .by_axioms = true,                                                     \
    }

const struct model model_riscv = RISCV("riscv", axioms);
const struct model model_riscv_any = RISCV("riscv-any", any_axioms);
