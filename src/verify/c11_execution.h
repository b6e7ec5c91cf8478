/* SPDX-License-Identifier: MIT
 *
 * What the files of c11_axioms.h share: an execution as relations.  A relation
 * is a square of bits; an event that reads and writes is two nodes.
 */
#ifndef VERIFY_C11_EXECUTION_H
#define VERIFY_C11_EXECUTION_H

#include "base/arena.h"
#include "verify/c11_axioms.h"

struct relation {
    uint64_t *bits;
};

struct node {
    uint32_t event;
    uint16_t thread;
    uint8_t order;
    bool reads, writes, fence, atomic;
    uint32_t location; /* number + 1; 0: none */
    int mate;          /* the other half of an RMW, or -1 */
};

struct execution {
    const struct trace *t;
    struct arena arena;
    struct node *nodes;
    size_t count, words;
    int *read_of, *write_of; /* per event: its node, or -1 */
    int *node_of;            /* per event: the last of its nodes */
    struct relation po, rf, co, fr, rmw, hb, eco;
    struct relation sequence; /* po, and who made and joined whom */
};

/* Then arena_free, also if e says why it is none. */
bool c11_begin(struct execution *x, const struct trace *t, struct err *e);

static inline uint64_t *row_of(const struct execution *x, struct relation r,
                               size_t i)
{
    return &r.bits[i * x->words];
}

static inline bool has(const struct execution *x, struct relation r, size_t i,
                       size_t j)
{
    return row_of(x, r, i)[j / 64] >> j % 64 & 1;
}

static inline bool is_access(const struct event *e)
{
    return e->size && e->object;
}

static inline bool reads(const struct event *e)
{
    return is_access(e) && e->kind != EV_STORE;
}

static inline bool writes(const struct event *e)
{
    return is_access(e) && e->co;
}

#endif
