/* SPDX-License-Identifier: MIT
 *
 * Relations between the nodes of a trace, as squares of bits, for those who
 * judge an execution by axioms (c11_axioms.c, processor_axioms.c).  They share
 * nothing with the search that found it.
 */
#ifndef VERIFY_SQUARE_H
#define VERIFY_SQUARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "trace/trace.h"

/* How many nodes there are, and so how large every square of them is. */
struct squares {
    struct arena arena;
    size_t count, words;
};

struct square {
    uint64_t *bits;
};

/* All nodes are counted: squares can be made. */
static inline void squares_begin(struct squares *z)
{
    z->words = z->count / 64 + 1;
}

struct square square_new(struct squares *z);
struct square square_copy(struct squares *z, struct square from);

static inline uint64_t *square_row(const struct squares *z, struct square s,
                                   size_t i)
{
    return &s.bits[i * z->words];
}

static inline bool square_has(const struct squares *z, struct square s,
                              size_t i, size_t j)
{
    return square_row(z, s, i)[j / 64] >> j % 64 & 1;
}

static inline void square_put(const struct squares *z, struct square s,
                              size_t i, size_t j)
{
    square_row(z, s, i)[j / 64] |= 1ull << j % 64;
}

/* The first in row i from `from` on, or z->count. */
size_t square_next(const struct squares *z, struct square s, size_t i,
                   size_t from);
void square_join(const struct squares *z, struct square to, struct square from);
/* a;b */
struct square square_compose(struct squares *z, struct square a,
                             struct square b);
/* s+ */
void square_close(const struct squares *z, struct square s);
bool square_is_reflexive(const struct squares *z, struct square s);
bool square_has_cycle(struct squares *z, struct square s);

/* ---- Events of a trace ---- */

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

/* The first event that is at the same place, plus 1; of no access 0. */
uint32_t location_of(const struct trace *t, size_t event);

#endif
