/* SPDX-License-Identifier: MIT
 *
 * Relations as squares of bits, as square.h says.
 */
#include "verify/square.h"

struct square square_new(struct squares *z)
{
    return (struct square){
        arena_array(&z->arena, z->count * z->words + 1, sizeof(uint64_t))};
}

struct square square_copy(struct squares *z, struct square from)
{
    struct square s = square_new(z);

    square_join(z, s, from);
    return s;
}

size_t square_next(const struct squares *z, struct square s, size_t i,
                   size_t from)
{
    const uint64_t *row = square_row(z, s, i);
    size_t w = from / 64;
    uint64_t rest = row[w] & ~0ull << from % 64;

    while (!rest && ++w < z->words)
        rest = row[w];
    return rest ? w * 64 + (size_t)__builtin_ctzll(rest) : z->count;
}

void square_join(const struct squares *z, struct square to, struct square from)
{
    for (size_t i = 0; i < z->count * z->words; i++)
        to.bits[i] |= from.bits[i];
}

static void join_row(const struct squares *z, uint64_t *to,
                     const uint64_t *from)
{
    for (size_t w = 0; w < z->words; w++)
        to[w] |= from[w];
}

struct square square_compose(struct squares *z, struct square a,
                             struct square b)
{
    struct square s = square_new(z);

    for (size_t i = 0; i < z->count; i++) {
        for (size_t j = square_next(z, a, i, 0); j < z->count;
             j = square_next(z, a, i, j + 1))
            join_row(z, square_row(z, s, i), square_row(z, b, j));
    }
    return s;
}

void square_close(const struct squares *z, struct square s)
{
    for (size_t k = 0; k < z->count; k++) {
        for (size_t i = 0; i < z->count; i++) {
            if (square_has(z, s, i, k))
                join_row(z, square_row(z, s, i), square_row(z, s, k));
        }
    }
}

bool square_is_reflexive(const struct squares *z, struct square s)
{
    for (size_t i = 0; i < z->count; i++) {
        if (square_has(z, s, i, i))
            return true;
    }
    return false;
}

bool square_has_cycle(struct squares *z, struct square s)
{
    struct square all = square_copy(z, s);

    square_close(z, all);
    return square_is_reflexive(z, all);
}

uint32_t location_of(const struct trace *t, size_t event)
{
    const struct event *e = &t->events[event];
    size_t i = 0;

    if (!is_access(e))
        return 0;
    while (!is_access(&t->events[i]) || t->events[i].object != e->object ||
           t->events[i].offset != e->offset || t->events[i].size != e->size)
        i++;
    return (uint32_t)i + 1;
}
