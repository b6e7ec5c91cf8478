/* SPDX-License-Identifier: MIT
 *
 * What threads do, as a function: the values that a thread has read decide
 * what it announces next.  The function is kept in a trie, node --value-->
 * node, and the thread itself runs only where the trie has no answer yet.
 */
#ifndef GRAPH_BEHAVIOUR_H
#define GRAPH_BEHAVIOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"
#include "graph/depends.h"

/* What a thread announces before it does it. */
enum op_kind {
    OP_LOAD,
    OP_STORE,
    OP_RMW,
    OP_CAS,
    OP_ATOMIC, /* an atomic block touches a location for the first time: one
                  part of an access of several (see below) */
    OP_SYNC, /* of a lock, a semaphore, ...: reads its state and may change it,
                as only the thread itself knows (struct effect) */
    OP_PUT,  /* what the atomic block leaves in the location of its `part` */
    OP_FENCE,
    OP_CREATE,
    OP_JOIN,
    OP_CHOOSE, /* a number below `operand` */
    OP_FREE,   /* of `expected` bytes at `operand` */
    OP_END,    /* it has returned */
    OP_BLOCK,  /* waits in vain for a value: not enabled any more */
    OP_FAIL    /* an assertion of the program: an error */
};

struct op {
    uint8_t kind;          /* enum op_kind */
    uint8_t rmw;           /* OP_RMW: enum rmw_op */
    uint8_t order;         /* enum event_order */
    uint8_t failure_order; /* OP_CAS that fails */
    uint8_t size;          /* bytes of the value, 1 to 16 */
    uint8_t fence;         /* enum model_fence bits: of an OP_FENCE; of others,
                              on models of order, directly before it */
    uint8_t why;           /* OP_END, OP_BLOCK, OP_FAIL: the caller's */
    bool locks : 1;        /* OP_CAS, OP_SYNC that takes a mutex: it waits until
                              that is free, and never fails */
    bool ghost : 1;        /* of a ghost variable: it waits for nothing */
    bool everybody : 1;    /* OP_FENCE: a full fence of every thread, wherever
                              that is, at one moment */
    bool only_reads : 1;   /* OP_CAS: what it writes is an OP_STORE of its own,
                              which comes next */
    uint16_t location;     /* a number from 0: a name of memory */
    union {
        uint16_t thread; /* OP_CREATE, OP_JOIN: the other thread */
        uint16_t cuts;   /* accesses of several parts (op_parts): a bit for
                            each byte at which one begins; OP_ATOMIC: 1; else
                            0 */
    };
    union {
        uint16_t round; /* OP_BLOCK: events of the round that failed */
        uint16_t part;  /* OP_ATOMIC, OP_PUT: which, from 0 */
    };
    uint16_t depends; /* on earlier loads: a record (graph/depends.h); 0: none,
                         or the program does not tell */
    uint32_t skips;   /* accesses before it that are no events */
    uint32_t site;
    uint64_t operand;  /* stored, or the operand of an RMW; OP_END: what a
                          JOIN of the thread returns; OP_JOIN: 0 if nobody
                          looks at that */
    uint64_t expected; /* OP_CAS; OP_CHOOSE: not 0: with 1 it lets a mutex go
                          and takes it again; OP_BLOCK: not 0: what led here is
                          explored without that; OP_CHOOSE, OP_SYNC: not 0: a
                          wait for a condition begins */
};

/* An access touches one location, or as many neighbours, from `location` on, as
 * it has parts: then these are pieces of the same memory, which other accesses
 * touch one by one.  Values of more than 8 bytes are numbers of such values.
 *
 * An atomic block is one access, too, whose parts are any locations, and which
 * these are may depend on values: each is an OP_ATOMIC, which the value of the
 * one before leads to; then an OP_PUT for each part that it wrote. */
#define OP_PARTS_MAX 16

static inline unsigned op_parts(const struct op *op)
{
    return op->kind <= OP_SYNC && op->cuts
               ? (unsigned)__builtin_popcount(op->cuts)
               : 1;
}

/* What became of an OP_SYNC that read the value which leads to a node; of an
 * atomic block that ends there only how it orders. */
struct effect {
    uint64_t written;
    uint8_t writes;
    uint8_t order;      /* enum event_order */
    uint8_t construct;  /* enum model_construct */
    uint8_t store_like; /* to the thread it is a store: it orders as one */
    uint16_t happened;  /* how many steps it is to the machine */
};

/* Number of a node.  0 is none. */
typedef struct {
    uint32_t ix;
} behaviour_node;

#define BEHAVIOUR_NODES_MAX (1u << 20) /* with what they hold, some 150 MB */
#define BEHAVIOUR_RECENT 4096u
#define BEHAVIOUR_WIDES 65536u

struct behaviour;

/* A node as it is kept.  What a step looks at is one line of the cache. */
struct behaviour_entry {
    _Alignas(64) struct op op;
    uint64_t value; /* that leads here from the parent */
    uint32_t parent;
    uint16_t thread;
    uint16_t depth; /* how many operations led here; of many, modulo 2^16 */
    uint32_t child, sibling;
    /* Seldom asked for. */
    struct effect effect; /* of the parent's operation */
    uint32_t creator;     /* of a root: the OP_CREATE, or none */
    uint32_t root;        /* of an OP_CREATE: where the new thread begins */
    uint32_t notes, fed;  /* the caller's */
    uint32_t passes;      /* headers of loops that the thread passed since the
                             parent's operation: a bit a graph_redone */
    uint32_t twins[2];    /* the same of the equal thread before, and of that
                             after it; or none */
};

_Static_assert(offsetof(struct behaviour_entry, effect) <= 64,
               "what a step looks at is one line of the cache");
_Static_assert(DEPENDS_MAX <= UINT16_MAX, "struct op has the numbers");

/* Runs the thread of `node` up to its next operation: from its parent, which
 * `value` answered; a root has neither.  Also fills in the node's effect. */
typedef void (*behaviour_runs)(void *context, struct behaviour *b,
                               behaviour_node node, uint64_t value,
                               struct op *op);

/* Is what y announces what x does, but for the names of their threads?  (With
 * what became of the operations before.) */
typedef bool (*behaviour_equals)(void *context, const struct behaviour_entry *x,
                                 const struct behaviour_entry *y);

/* The value that the thread of number `to` reads where `from` reads `value`. */
typedef uint64_t (*behaviour_renames)(void *context, const struct op *op,
                                      uint64_t value, unsigned from,
                                      unsigned to);

/* Equal threads: behaviour_twins.c. */
struct behaviour_twins {
    behaviour_equals equals;   /* NULL: operations have no names in them */
    behaviour_renames renames; /* NULL: nor have values */
    uint32_t unequal[EVENT_THREADS_MAX];  /* who is found not to be: a bit a
                                             thread.  Stays. */
    uint8_t beside[2][EVENT_THREADS_MAX]; /* the one before and the one after,
                                             numbers + 1 */
    bool linked;                          /* some are */
    bool refuted; /* some that were linked are not equal */
};

/* Entries never move: who holds an operation may step meanwhile. */
struct behaviour {
    behaviour_runs run;
    void *context;
    struct behaviour_twins twins;
    uint32_t count;
    bool full;  /* there is no room for more: steps lead to OP_BLOCK */
    bool waits; /* some thread was found to wait: OP_BLOCK, or op.locks */
    bool locks; /* there is such an operation */
    uint32_t roots[EVENT_THREADS_MAX];
    /* Steps that were made not long ago, by a hash of where from and by which
     * value: a load may have hundreds of values, and each is a child. */
    uint32_t recent[BEHAVIOUR_RECENT];
    struct depends_table depends;
    /* Values of more than 8 bytes, by a hash of them. */
    uint32_t wide_count;
    struct behaviour_wide {
        uint64_t word[2];
        bool used;
    } wides[BEHAVIOUR_WIDES];
    struct behaviour_entry entries[];
};

struct behaviour *behaviour_new(behaviour_runs run, void *context);
void behaviour_free(struct behaviour *b);
/* As new; but which threads are not equal stays known. */
void behaviour_forget(struct behaviour *b);
/* There is room for what is learnt until the next look, but not for much. */
bool behaviour_is_nearly_full(const struct behaviour *b);

/* Where a thread begins that is there from the beginning. */
behaviour_node behaviour_root(struct behaviour *b, unsigned thread);

/* Where the thread begins that the OP_CREATE at `node` makes. */
behaviour_node behaviour_root_of(struct behaviour *b, behaviour_node node);

/* ---- Equal threads ---- */

/* From now on these two, which begin there, are taken for equal, and what one
 * of them is found to do the other is asked, too.  False: they are not. */
bool behaviour_link(struct behaviour *b, behaviour_node older,
                    behaviour_node younger);
/* Are these the same, but for their locations? */
bool behaviour_is_same(const struct op *x, const struct op *y);
/* The node has just been run. */
void behaviour_look_at_twins(struct behaviour *b, behaviour_node node);
/* At the end of a search, before it is believed that none is refuted. */
void behaviour_look_behind_joins(struct behaviour *b);
/* No two threads are. */
void behaviour_refute(struct behaviour *b);

/* As behaviour_step, when it was not asked for lately. */
behaviour_node behaviour_step_slowly(struct behaviour *b, behaviour_node node,
                                     uint64_t value);

static inline uint32_t *behaviour_recent(struct behaviour *b,
                                         behaviour_node node, uint64_t value)
{
    uint64_t h = (value ^ (uint64_t)node.ix << 32) * 0x9e3779b97f4a7c15ull;

    return &b->recent[(h >> 32) % BEHAVIOUR_RECENT];
}

/* Where it is after the operation at `node` returned `value`. */
static inline behaviour_node behaviour_step(struct behaviour *b,
                                            behaviour_node node, uint64_t value)
{
    uint32_t n = *behaviour_recent(b, node, value);

    return b->entries[n].parent == node.ix && b->entries[n].value == value
               ? (behaviour_node){n}
               : behaviour_step_slowly(b, node, value);
}

/* Lent for as long as the trie lives. */
static inline const struct op *behaviour_op(const struct behaviour *b,
                                            behaviour_node node)
{
    return &b->entries[node.ix].op;
}

static inline unsigned behaviour_thread(const struct behaviour *b,
                                        behaviour_node node)
{
    return b->entries[node.ix].thread;
}

static inline behaviour_node behaviour_parent(const struct behaviour *b,
                                              behaviour_node node)
{
    return (behaviour_node){b->entries[node.ix].parent};
}

/* How many operations of its thread led to the node. */
static inline unsigned behaviour_depth(const struct behaviour *b,
                                       behaviour_node node)
{
    unsigned depth = 0;

    while ((node = behaviour_parent(b, node)).ix)
        depth++;
    return depth;
}

/* The number of a value of more than 8 bytes, and the value of a number. */
uint64_t behaviour_number(struct behaviour *b, const uint64_t word[2]);
const uint64_t *behaviour_wide(const struct behaviour *b, uint64_t number);

/* The value of an access of several parts, and that of each. */
void behaviour_split(const struct behaviour *b, const struct op *op,
                     uint64_t value, uint64_t *parts);
uint64_t behaviour_join(struct behaviour *b, const struct op *op,
                        const uint64_t *parts);

/* What the operation at `node`, which may write, does when it reads `old`. */
struct effect behaviour_effect(struct behaviour *b, behaviour_node node,
                               uint64_t old);

/* Does it write then? */
static inline bool behaviour_writes(struct behaviour *b, behaviour_node node,
                                    uint64_t old)
{
    const struct op *op = behaviour_op(b, node);

    switch (op->kind) {
    case OP_RMW:
        return true;
    case OP_CAS:
        return old == op->expected && !op->only_reads;
    case OP_SYNC:
        return b->entries[behaviour_step(b, node, old).ix].effect.writes;
    default:
        return false;
    }
}

#endif
