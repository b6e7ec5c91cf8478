/* SPDX-License-Identifier: MIT
 *
 * Small programs for the tests of src/target/graph: straight code with
 * branches over registers, run by an interpreter behind the trie.
 */
#ifndef TEST_MINI_H
#define TEST_MINI_H

#include "graph/behaviour.h"
#include "graph/graph_engine.h"

#define MINI_THREADS 20
#define MINI_CODE 64
#define MINI_REGISTERS 8
#define MINI_LOCATIONS 24

enum mini_kind {
    MINI_LOAD,
    MINI_STORE,
    MINI_ADD,
    MINI_XCHG,
    MINI_CAS,
    MINI_LOCK, /* a CAS from 0 to 1 */
    MINI_FENCE,
    MINI_CHOOSE, /* 0 or 1; brute.c does not know it */
    MINI_CREATE,
    MINI_JOIN,
    MINI_SUM,    /* to = first + second */
    MINI_SKIP,   /* if first == second, the next `count` instructions */
    MINI_ASSUME, /* first == second, else the thread blocks */
    MINI_ASSUME_NOT,
    MINI_SELECT, /* to = second, which the value of first selected */
    MINI_BLOCK,  /* the next `count` instructions are an atomic block */
    MINI_FREE    /* a location; brute.c does not know it */
};

/* A register (from 0) and a number; -1: the number alone. */
struct mini_value {
    int from;
    uint64_t add;
};

struct mini_code {
    enum mini_kind kind;
    unsigned location, to, thread, count;
    unsigned parts; /* neighbours that the access touches; 0: it is alone */
    unsigned index; /* in a block: a register, plus 1, whose lowest bit is added
                       to the location; 0: none */
    unsigned pointer; /* a register, plus 1, that the address depends on, though
                         it is always the same; 0: none */
    unsigned data;    /* the same for the stored value */
    enum event_order order, failure_order;
    unsigned fence; /* enum model_fence */
    bool everybody; /* a fence of every thread */
    struct mini_value first, second;
};

struct mini {
    unsigned threads, locations;
    unsigned started; /* threads that are there from the beginning */
    unsigned length[MINI_THREADS];
    struct mini_code code[MINI_THREADS][MINI_CODE];
    uint64_t initial[MINI_LOCATIONS];
    unsigned like[MINI_THREADS]; /* a thread whose code it has, number + 1; 0:
                                    its own */
    bool plain_locks; /* a MINI_LOCK that fails blocks: no rule for mutexes */
    bool bundles;     /* some accesses have several parts */
    bool blocks;      /* there are atomic blocks */
    bool big;         /* a part has 8 bytes, not one */
    bool torn;        /* few stores have several parts */
    bool everybody;   /* some fences are of every thread */
    bool processors;  /* their executions are looked for, too */
    bool depends;     /* it tells its dependencies: of arm and riscv */
    bool folds;       /* fences are said by the next operation (struct op): only
                         models of order know them then */
};

/* Values of the parts of an access. */
#define MINI_PARTS 4
void mini_split(const struct behaviour *b, const struct op *op, uint64_t value,
                uint64_t parts[MINI_PARTS]);

/* The program behind a trie; mini_close gives it back. */
struct mini_run;
struct mini_run *mini_open(const struct mini *program);
struct behaviour *mini_behaviour(struct mini_run *r);
void mini_close(struct mini_run *r);

struct random {
    uint64_t state;
};

unsigned random_below(struct random *r, unsigned n);

/* A random program of at most so many accesses. */
typedef void mini_maker(struct mini *p, unsigned accesses, struct random *r);
void mini_random(struct mini *p, unsigned accesses, struct random *r);

/* The same with accesses of several parts. */
void mini_random_bundles(struct mini *p, unsigned accesses, struct random *r);

/* Loads of several parts: two in which each thread takes a part from a store of
 * its own, or one with sources in several threads (mini_torn.c). */
void mini_random_torn(struct mini *p, unsigned accesses, struct random *r);

/* An atomic block whose sources come from several threads, and whose parts
 * depend on them (mini_torn.c). */
void mini_random_unfolding(struct mini *p, unsigned accesses, struct random *r);

/* The same with atomic blocks. */
void mini_random_blocks(struct mini *p, unsigned accesses, struct random *r);

/* graph_search.reaches of a program with blocks.  Did it turn out since that
 * there is more?  Then it has to begin again. */
int mini_reaches(const struct behaviour *b, behaviour_node node,
                 struct graph_reach *to);
bool mini_grew(const struct behaviour *b);

/* The same with fences of every thread, of which C11 knows nothing. */
void mini_random_everybody(struct mini *p, unsigned accesses, struct random *r);

/* The same with dependencies, and fences by order. */
void mini_random_depends(struct mini *p, unsigned accesses, struct random *r);

/* The same, with accesses of several parts. */
void mini_random_sizes(struct mini *p, unsigned accesses, struct random *r);

/* Chains of dependencies in one thread of a ring (mini_chains.c); at most so
 * many accesses in the chain. */
void mini_random_chains(struct mini *p, unsigned accesses, struct random *r);

/* One with mutexes, which may deadlock. */
void mini_random_locks(struct mini *p, struct random *r);

/* Gives some threads the code of another one; or nearly. */
void mini_make_equal(struct mini *p, struct random *r);

/* Threads that wait for values that others write. */
void mini_random_waits(struct mini *p, struct random *r);

void mini_print(const struct mini *p);

#endif
