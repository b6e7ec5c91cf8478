/* SPDX-License-Identifier: MIT
 *
 * The relation language: what a memory model says of an execution, as text,
 * in the notation of the cat files (Alglave, Maranget, Tautschnig, TOPLAS
 * 2014).  A text becomes nodes; whoever judges executions walks over these with
 * code of its own, over rows of bits, order clauses or lists of pairs.  This
 * file knows no execution.
 *
 *     [R];po;[W]          a load, a later store of its thread
 *     po;[full];po        a full fence between
 *     (addr|data);lrs     composition binds tighter than union
 *     rf^-1;co  r+ r* r?  inverse, closures, or the same event
 *     a & b   a \ b       both bind tighter than `;'
 *
 * Nothing here allocates: the runtime of a tested program reads it too.
 */
#ifndef MODEL_RELATION_H
#define MODEL_RELATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an event is, as bits.  MARK(NAME, name in texts, words) */
#define RELATION_MARKS(MARK)                                                   \
    MARK(R, "R", "loads")                                                      \
    MARK(W, "W", "stores")                                                     \
    MARK(F, "F", "fences")                                                     \
    MARK(INIT, "IW", "initial writes")                                         \
    MARK(RMW, "RMW", "both events of an RMW, and a CAS that fails")            \
    MARK(AMO, "AMO", "both events of an RMW of one instruction")               \
    MARK(X, "X", "load and store exclusive, LR and SC")                        \
    MARK(A, "A", "what acquires")                                              \
    MARK(Q, "Q", "what acquires weakly: ldapr")                                \
    MARK(L, "L", "what releases")                                              \
    MARK(AL, "AL",                                                             \
         "the store of an RMW instruction that acquires and releases")         \
    MARK(SC, "SC", "seq_cst")                                                  \
    MARK(ATOMIC, "AT", "atomic accesses of C")                                 \
    MARK(NORET, "NoRet", "loads of an RMW whose result nobody gets")           \
    MARK(RR, "rr", "fences that keep load-load")                               \
    MARK(RW, "rw", "fences that keep load-store")                              \
    MARK(WR, "wr", "fences that keep store-load")                              \
    MARK(WW, "ww", "fences that keep store-store")                             \
    MARK(FULL, "full", "fences that keep everything")                          \
    MARK(ISB, "isb", "isb, isync")

enum relation_mark_number {
#define MARK(name, text, words) MARK_NUMBER_##name,
    RELATION_MARKS(MARK)
#undef MARK
        MARK_COUNT
};

enum relation_mark {
#define MARK(name, text, words) MARK_##name = 1 << MARK_NUMBER_##name,
    RELATION_MARKS(MARK)
#undef MARK
};

/* The relations that an execution brings.  BASE(NAME, name in texts, words) */
#define RELATION_BASES(BASE)                                                   \
    BASE(PO, "po", "program order")                                            \
    BASE(PO_LOC, "po-loc", "program order, of one location")                   \
    BASE(LOC, "loc", "of one location")                                        \
    BASE(EXT, "ext", "of different threads")                                   \
    BASE(ADDR, "addr", "address dependency")                                   \
    BASE(DATA, "data", "data dependency")                                      \
    BASE(CTRL, "ctrl", "control dependency")                                   \
    BASE(PICK_ADDR, "pick-addr", "address dependency through a selection")     \
    BASE(PICK_DATA, "pick-data", "data dependency through a selection")        \
    BASE(PICK_CTRL, "pick-ctrl", "control dependency through a selection")     \
    BASE(RMW, "rmw", "the load of an RMW and its store")                       \
    BASE(AMO, "amo", "the load of an RMW of one instruction and its store")    \
    BASE(LXSX, "lxsx", "the load of a pair of exclusives and its store")       \
    BASE(LRS, "lrs", "a store and the loads that could be forwarded from it")  \
    BASE(PPO, "ppo", "the closure of the preserved program order itself")      \
    BASE(RF, "rf", "a store and a load that reads it")                         \
    BASE(CO, "co", "the order of the stores of a location")                    \
    BASE(FR, "fr", "a load and the stores after the one it read")              \
    BASE(RFI, "rfi", "rf within a thread")                                     \
    BASE(RFE, "rfe", "rf between threads")                                     \
    BASE(COE, "coe", "co between threads")                                     \
    BASE(FRE, "fre", "fr between threads")                                     \
    BASE(CONFLICT, "conflict",                                                 \
         "one location, different threads, a store, one of them not atomic")

enum relation_base {
#define BASE(name, text, words) BASE_##name,
    RELATION_BASES(BASE)
#undef BASE
        BASE_COUNT
};

enum relation_op {
    RELATION_EMPTY,
    RELATION_BASE,     /* number: enum relation_base */
    RELATION_LET,      /* number: which definition of the model */
    RELATION_SET,      /* the identity on what node `a', a set, says */
    RELATION_MARKED,   /* a set: number is one of RELATION_MARKS */
    RELATION_UNION,    /* a, b: of relations or of sets */
    RELATION_BOTH,     /* a & b */
    RELATION_WITHOUT,  /* a \ b */
    RELATION_THEN,     /* a ; b */
    RELATION_INVERSE,  /* a^-1 */
    RELATION_PLUS,     /* a+ */
    RELATION_STAR,     /* a* */
    RELATION_OPTIONAL, /* a? */
};

struct relation_node {
    uint8_t op, number; /* enum relation_op */
    uint8_t a, b;       /* nodes before it */
};

#define RELATION_NODES_MAX 96

/* A text, read: the last node is the whole. */
struct relation_tree {
    struct relation_node nodes[RELATION_NODES_MAX];
    size_t count;
};

/* A definition of a model that has axioms of its own.  Those marked recursive
 * that follow each other are the least that satisfy all of them. */
struct relation_let {
    const char *name; /* NULL: the list ends */
    const char *text;
    bool recursive;
};

enum relation_test {
    RELATION_ACYCLIC,
    RELATION_IRREFLEXIVE,
    RELATION_EMPTY_ALL
};

/* What must hold of every execution. */
struct relation_axiom {
    const char *name; /* NULL: the list ends */
    enum relation_test test;
    const char *text;
};

/* Reads a text; `lets' are the names it may use, or NULL.  False: at byte *at
 * is something that is not of this language. */
bool relation_read(const char *text, const struct relation_let *lets,
                   struct relation_tree *out, size_t *at);

extern const char *const relation_mark_names[MARK_COUNT];
extern const char *const relation_mark_words[MARK_COUNT];
extern const char *const relation_base_names[BASE_COUNT];
extern const char *const relation_base_words[BASE_COUNT];

#endif
