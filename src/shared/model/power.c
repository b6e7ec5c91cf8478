/* SPDX-License-Identifier: MIT
 *
 * POWER: "Herding Cats" (Alglave, Maranget, Tautschnig, TOPLAS 2014), figure
 * 18 and 25.  Stores become visible to one thread after the other, so one order
 * of all is not enough: its axioms speak of propagation.  lwsync keeps all but
 * store-load; sync is the full fence; eieio keeps store-store.  C is compiled
 * with leading syncs.  A selection (r ? a : b) is isel, a branch or arithmetic,
 * as the compiler likes: what all of these keep is in cc.
 */
#include "model/model.h"

static const struct relation_let lets[] = {
    {"dp", "addr|data", false},
    {"rdw", "po-loc & (fre;rfe)", false},
    {"detour", "po-loc & (coe;rfe)", false},
    {"cs", "ctrl;[isb];po", false},
    {"pick", "pick-addr|pick-data|pick-ctrl|pick-addr;po", false},
    {"ii", "dp|rfi|rdw|ci|ic;ci|ii;ii", true},
    {"ic", "ii|cc|ic;cc|ii;ic", true},
    {"ci", "cs|detour|ci;ii|cc;ci", true},
    {"cc", "dp|po-loc|ctrl|addr;po|pick|ci|ci;ic|cc;cc", true},
    {"kept", "[R];ii;[R]|[R];ic;[W]", false},
    {"sync", "po;[full];po", false},
    {"fences", "sync|[R];po;[rr];po;[R]|[R];po;[rw];po;[W]|[W];po;[ww];po;[W]",
     false},
    {"hb", "kept|fences|rfe", false},
    {"pb", "(fences|rfe;fences);hb*", false},
    {"prop", "[W];pb;[W]|(rf|fr|co)*;pb*;sync;hb*", false},
    {NULL, NULL, false},
};

static const struct relation_axiom axiom_list[] = {
    {"no thin air", RELATION_ACYCLIC, "hb"},
    {"propagation", RELATION_ACYCLIC, "co|prop"},
    {"observation", RELATION_IRREFLEXIVE, "fre;prop;hb*"},
    {NULL, RELATION_ACYCLIC, NULL},
};

static const char *const ppo[] = {NULL};

#define LIGHT FENCE_MARKS_LIGHT
#define FULL MARK_FULL

static const struct model_mapping leading =
    {
        .name = "leading",
        .words = "leading syncs",
        .rmw_pairs = true,
        .cas_pairs = true,
        .rows =
            {
                [MAPPED_LOAD] = {"lwz", 0, 0, 0, 0, false},
                [MAPPED_LOAD_ACQUIRE] = {"lwz; cmp; bc; isync", 0, MARK_ISB, 0,
                                         0, true},
                [MAPPED_LOAD_SEQ_CST] = {"sync; lwz; cmp; bc; isync", FULL,
                                         MARK_ISB, 0, 0, true},
                [MAPPED_STORE] = {"stw", 0, 0, 0, 0, false},
                [MAPPED_STORE_RELEASE] = {"lwsync; stw", LIGHT, 0, 0, 0, false},
                [MAPPED_STORE_SEQ_CST] = {"sync; stw", FULL, 0, 0, 0, false},
                [MAPPED_RMW_RELAXED] = {"lwarx, stwcx.", 0, 0, 0, 0, false},
                [MAPPED_RMW_ACQUIRE] = {"lwarx, stwcx.; lwsync", 0, LIGHT, 0, 0,
                                        false},
                [MAPPED_RMW_RELEASE] = {"lwsync; lwarx, stwcx.", LIGHT, 0, 0, 0,
                                        false},
                [MAPPED_RMW_ACQ_REL] = {"lwsync; lwarx, stwcx.; lwsync", LIGHT,
                                        LIGHT, 0, 0, false},
                [MAPPED_RMW_SEQ_CST] = {"sync; lwarx, stwcx.; lwsync", FULL,
                                        LIGHT, 0, 0, false},
                [MAPPED_CAS_RELAXED] = {"lwarx, bne, stwcx.", 0, 0, 0, 0, true},
                [MAPPED_CAS_ACQUIRE] = {"lwarx, bne, stwcx.; lwsync", 0, LIGHT,
                                        0, 0, true},
                [MAPPED_CAS_RELEASE] = {"lwsync; lwarx, bne, stwcx.", LIGHT, 0,
                                        0, 0, true},
                [MAPPED_CAS_ACQ_REL] = {"lwsync; lwarx, bne, stwcx.; lwsync",
                                        LIGHT, LIGHT, 0, 0, true},
                [MAPPED_CAS_SEQ_CST] = {"sync; lwarx, bne, stwcx.; lwsync",
                                        FULL, LIGHT, 0, 0, true},
                [MAPPED_FENCE_ACQUIRE] = {"lwsync", LIGHT, 0, 0, 0, false},
                [MAPPED_FENCE_RELEASE] = {"lwsync", LIGHT, 0, 0, 0, false},
                [MAPPED_FENCE_ACQ_REL] = {"lwsync", LIGHT, 0, 0, 0, false},
                [MAPPED_FENCE_SEQ_CST] = {"sync", FULL, 0, 0, 0, false},
                [MAPPED_FENCE_SS] = {"eieio", MARK_WW, 0, 0, 0, false},
                [MAPPED_FENCE_LL] = {"lwsync", LIGHT, 0, 0, 0, false},
                [MAPPED_FENCE_SL] = {"sync", FULL, 0, 0, 0, false},
                [MAPPED_FENCE_LS] = {"lwsync", LIGHT, 0, 0, 0, false},
                [MAPPED_FENCE_FULL] = {"sync", FULL, 0, 0, 0, false},
            },
};

static const struct model_axioms axioms = {
    .stands = "POWER processors",
    .assembly = "PPC",
    .ppo = ppo,
    .lets = lets,
    .axioms = axiom_list,
    .mappings = {&leading},
};

const struct model model_power = {
    .name = "power",
    .words = "POWER",
    .delays_stores = true,
    .reorders_stores = true,
    .reorders_loads = true,
    .axioms = &axioms,
    .by_axioms = true,
};
