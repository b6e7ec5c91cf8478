/* SPDX-License-Identifier: MIT
 *
 * What threads do, as a function: the values that a thread has read decide
 * what it announces next.  The function is kept in a trie, node --value-->
 * node, and the thread itself runs only where the trie has no answer yet.
 */
#ifndef GRAPH_BEHAVIOUR_H
#define GRAPH_BEHAVIOUR_H

#include <stdbool.h>
#include <stdint.h>

#include "event/event.h"

/* What a thread announces before it does it. */
enum op_kind {
    OP_LOAD,
    OP_STORE,
    OP_RMW,
    OP_CAS,
    OP_FENCE,
    OP_CREATE,
    OP_JOIN,
    OP_END,   /* it has returned */
    OP_BLOCK, /* waits in vain for a value: not enabled any more */
    OP_FAIL   /* an assertion of the program: an error */
};

struct op {
    uint8_t kind;          /* enum op_kind */
    uint8_t rmw;           /* OP_RMW: enum rmw_op */
    uint8_t order;         /* enum event_order */
    uint8_t failure_order; /* OP_CAS that fails */
    uint8_t size;          /* bytes of the value, 1 to 8 */
    uint8_t fence;         /* OP_FENCE: enum model_fence bits */
    uint8_t locks;         /* OP_CAS that takes a mutex: it waits until the
                              mutex is free, and never fails */
    uint16_t location;     /* a number from 0: a name of memory */
    uint16_t thread;       /* OP_CREATE, OP_JOIN: the other thread */
    uint64_t operand;      /* stored, or the operand of an RMW */
    uint64_t expected;     /* OP_CAS */
};

/* Number of a node.  0 is none. */
typedef struct {
    uint32_t ix;
} behaviour_node;

struct behaviour;

/* A node as it is kept. */
struct behaviour_entry {
    struct op op;
    uint64_t value; /* that leads here from the parent */
    uint32_t parent, child, sibling;
    uint16_t thread;
};

/* Runs the thread of `node` up to its next operation: from its parent, which
 * `value` answered; a root has neither. */
typedef void (*behaviour_runs)(void *context, struct behaviour *b,
                               behaviour_node node, uint64_t value,
                               struct op *op);

/* Entries never move: who holds an operation may step meanwhile. */
struct behaviour {
    behaviour_runs run;
    void *context;
    uint32_t count;
    uint32_t roots[EVENT_THREADS_MAX];
    struct behaviour_entry entries[];
};

struct behaviour *behaviour_new(behaviour_runs run, void *context);
void behaviour_free(struct behaviour *b);

/* Where a thread begins. */
behaviour_node behaviour_root(struct behaviour *b, unsigned thread);

/* A node that nobody has been at. */
behaviour_node behaviour_run(struct behaviour *b, behaviour_node parent,
                             uint64_t value);

/* Where it is after the operation at `node` returned `value`. */
static inline behaviour_node behaviour_step(struct behaviour *b,
                                            behaviour_node node, uint64_t value)
{
    uint32_t n = b->entries[node.ix].child;

    while (n && b->entries[n].value != value)
        n = b->entries[n].sibling;
    return n ? (behaviour_node){n} : behaviour_run(b, node, value);
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

/* Does the operation write when it reads `old`, and what? */
bool op_writes(const struct op *op, uint64_t old, uint64_t *value);

#endif
