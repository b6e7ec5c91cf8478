/* SPDX-License-Identifier: MIT
 *
 * What a model says of an execution, as data.  Every model has two axioms:
 *
 *     coherence    acyclic po-loc | rf | co | fr
 *     atomicity    amo & (fr;co) and lxsx & (fre;coe) are empty
 *
 * and nearly all have only one more, for a preserved program order that never
 * looks at rf or co:
 *
 *     one order    acyclic ppo | rfe | coe | fre
 *
 * ppo is a union of terms (model/relation.h).  Where an RMW of one instruction
 * is one node of that order, its two events share their edges.  C11 and POWER
 * have axioms of their own instead.  Who makes threads adds what comes before
 * their start, and what follows their end.
 */
#ifndef MODEL_AXIOMS_H
#define MODEL_AXIOMS_H

#include "model/relation.h"

/* What C compiles to: the rows of the tables.  MAPPED(NAME, words) */
#define MODEL_MAPPED(MAPPED)                                                   \
    MAPPED(LOAD, "load, plain, volatile or relaxed")                           \
    MAPPED(LOAD_ACQUIRE, "load acquire or consume")                            \
    MAPPED(LOAD_SEQ_CST, "load seq_cst")                                       \
    MAPPED(STORE, "store, plain, volatile or relaxed")                         \
    MAPPED(STORE_RELEASE, "store release")                                     \
    MAPPED(STORE_SEQ_CST, "store seq_cst")                                     \
    MAPPED(RMW_RELAXED, "RMW relaxed")                                         \
    MAPPED(RMW_ACQUIRE, "RMW acquire")                                         \
    MAPPED(RMW_RELEASE, "RMW release")                                         \
    MAPPED(RMW_ACQ_REL, "RMW acq_rel")                                         \
    MAPPED(RMW_SEQ_CST, "RMW seq_cst")                                         \
    MAPPED(CAS_RELAXED, "CAS relaxed")                                         \
    MAPPED(CAS_ACQUIRE, "CAS acquire")                                         \
    MAPPED(CAS_RELEASE, "CAS release")                                         \
    MAPPED(CAS_ACQ_REL, "CAS acq_rel")                                         \
    MAPPED(CAS_SEQ_CST, "CAS seq_cst")                                         \
    MAPPED(FENCE_ACQUIRE, "fence acquire")                                     \
    MAPPED(FENCE_RELEASE, "fence release")                                     \
    MAPPED(FENCE_ACQ_REL, "fence acq_rel")                                     \
    MAPPED(FENCE_SEQ_CST, "fence seq_cst")                                     \
    MAPPED(FENCE_SS, "fencer_fence_ss")                                        \
    MAPPED(FENCE_LL, "fencer_fence_ll")                                        \
    MAPPED(FENCE_SL, "fencer_fence_sl")                                        \
    MAPPED(FENCE_LS, "fencer_fence_ls")                                        \
    MAPPED(FENCE_FULL, "fencer_fence_full")

enum model_mapped {
#define MAPPED(name, words) MAPPED_##name,
    MODEL_MAPPED(MAPPED)
#undef MAPPED
        MAPPED_COUNT
};

extern const char *const model_mapped_words[MAPPED_COUNT];

/* Marks of fences that a row below may put around an access. */
#define FENCE_MARKS_LIGHT (MARK_RR | MARK_RW | MARK_WW)

/* What one row becomes. */
struct model_instruction {
    const char *words;      /* the instructions, for people */
    uint32_t before, after; /* marks of a fence there; 0: none */
    uint32_t read, write;   /* of its events, besides R and W */
    bool branch; /* on what was read: all that follows depends on it */
};

/* One way to compile C for a machine. */
struct model_mapping {
    const char *name;          /* "lse" */
    const char *words;         /* "with LSE, armv8.1-a" */
    bool rmw_pairs, cas_pairs; /* these are loops of a pair of exclusives */
    bool status_branch; /* and branch on the store's success, a dependency */
    struct model_instruction rows[MAPPED_COUNT];
};

#define MODEL_MAPPINGS_MAX 3

/* What the parts of an access of several (docs/models.md, "Sizes") are. */
enum model_parts {
    PARTS_UNKNOWN,  /* nobody has said */
    PARTS_ONE_NODE, /* of all that joins ppo: one operation */
    PARTS_OBSERVED /* single-copy atomic: who comes before one by rfe, coe, fre,
                      or as an access to a store of the same memory, comes
                      before all.  But a load may get some of its parts from
                      stores of its thread, earlier than the others. */
};

enum model_edge { EDGE_RFE = 1, EDGE_COE = 2, EDGE_FRE = 4, EDGE_ALL = 7 };

struct model_axioms {
    const char *stands; /* "x86, as Intel and AMD sell it" */
    const char
        *assembly; /* whose instructions it judges: "RISCV"; NULL: none */
    const char *const *ppo; /* terms; the last is NULL */
    bool merge;             /* an RMW of one instruction is one node */
    uint8_t parts;          /* enum model_parts */
    uint8_t edges;          /* enum model_edge: what joins ppo */
    bool loads_free;        /* coherence says nothing of two loads */
    bool weakest; /* it keeps only what all its mappings keep, and nothing for
                     being dependent: a search by that allows what each of them
                     does (decision 45) */
    bool lrs_unprotects; /* terms with lrs do not keep a load before a store
                            when the load reads elsewhere (decision 18) */
    const struct relation_let *lets;     /* NULL: it needs none */
    const struct relation_axiom *axioms; /* besides; or NULL */
    /* NULL: the recipes of struct model say what C becomes. */
    const struct model_mapping *mappings[MODEL_MAPPINGS_MAX];
};

#endif
