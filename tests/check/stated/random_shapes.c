/* SPDX-License-Identifier: MIT
 *
 * Random programs.  A dependency is on the register that was set last.
 */
#include "random_shapes.h"

#include <stdio.h>
#include <string.h>

struct maker {
    uint64_t state;
    struct buf program, condition;
    char next, last; /* registers: to be set; set last in this thread, or 0 */
    unsigned accesses, stores;
};

static unsigned below(struct maker *m, unsigned n)
{
    m->state += 0x9e3779b97f4a7c15ull;

    uint64_t z = m->state;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (unsigned)((z ^ z >> 31) % n);
}

static const char *one_of(struct maker *m, const char *const *list, unsigned n)
{
    return list[below(m, n)];
}

static const char *const load_orders[] = {"rlx", "rlx", "rlx", "acq", "sc"};
static const char *const store_orders[] = {"rlx", "rlx", "rlx", "rel", "sc"};
static const char *const rmw_orders[] = {"rlx", "acq", "rel", "acq_rel", "sc"};
static const char *const fences[] = {"acq", "rel", "acq_rel", "sc", "full"};
static const char *const places[] = {"x", "y"};

static void put_dependency(struct maker *m, unsigned one_in)
{
    if (m->last && below(m, one_in) == 0)
        buf_printf(&m->program, "@%c", m->last);
}

static char set_register(struct maker *m, bool first)
{
    char r = m->next++;

    if (r == 'k') /* k to z are places */
        r = 'a';
    buf_printf(&m->condition, "%s%c=0", first ? "" : " ", r);
    m->last = r;
    return r;
}

static void put_load(struct maker *m)
{
    char before = m->last;
    char r = set_register(m, m->condition.count == 0);

    buf_printf(&m->program, "R %c %s", r, one_of(m, places, 2));
    m->last = before;
    put_dependency(m, 3);
    m->last = r;
    buf_printf(&m->program, " %s", one_of(m, load_orders, 5));
}

static void put_store(struct maker *m)
{
    buf_printf(&m->program, "W %s", one_of(m, places, 2));
    put_dependency(m, 5);
    buf_printf(&m->program, " %u", 1 + below(m, 2));
    put_dependency(m, 3);
    buf_printf(&m->program, " %s", one_of(m, store_orders, 5));
}

static void put_rmw(struct maker *m)
{
    char r = set_register(m, m->condition.count == 0);
    const char *order = one_of(m, rmw_orders, 5), *at = one_of(m, places, 2);

    switch (below(m, 3)) {
    case 0:
        buf_printf(&m->program, "X %c %s %u %s", r, at, 1 + below(m, 2), order);
        return;
    case 1:
        buf_printf(&m->program, "A %c %s %u %s", r, at, 1 + below(m, 2), order);
        return;
    default:
        buf_printf(&m->program, "C %c %s %u %u %s %s", r, at, below(m, 2),
                   1 + below(m, 2), order,
                   strcmp(order, "sc") == 0    ? "sc"
                   : strcmp(order, "rel") == 0 ? "rlx"
                                               : one_of(m, load_orders, 4));
    }
}

static void put_step(struct maker *m)
{
    unsigned kind = below(m, 12);

    if (kind == 0)
        buf_printf(&m->program, "F %s", one_of(m, fences, 5));
    else if (kind == 1 && m->last)
        buf_printf(&m->program, "if %c", m->last);
    else if (kind < 4 && m->accesses < 5)
        put_rmw(m);
    else if (kind < 8)
        put_load(m);
    else
        put_store(m);
    m->accesses += kind > 1;
}

static void make(uint64_t number, struct arena *a, struct shape *out)
{
    struct maker m = {.state = number * 0x2545f4914f6cdd1dull + 1, .next = 'a'};
    unsigned threads = 2 + (below(&m, 4) == 0);

    for (unsigned t = 0; t < threads; t++) {
        unsigned steps = 2 + below(&m, threads == 2 ? 3 : 1);

        buf_puts(&m.program, t ? " || " : "");
        m.last = 0;
        for (unsigned i = 0; i < steps && m.accesses < 7; i++) {
            buf_puts(&m.program, i ? "; " : "");
            put_step(&m);
        }
        if (m.accesses >= 7 && t + 1 < threads)
            m.accesses = 6; /* nobody stays empty */
    }
    buf_printf(&m.condition, "%sx=0 y=0", m.condition.count ? " " : "");
    *out = (struct shape){
        arena_printf(a, "random %llu", (unsigned long long)number),
        arena_copy(a, m.program.bytes),
        arena_copy(a, m.condition.bytes),
        {0}};
    buf_free(&m.program);
    buf_free(&m.condition);
}

void random_shapes(uint64_t first, size_t count, struct arena *a,
                   struct shapes *out)
{
    *out = (struct shapes){
        .list = arena_array(a, count + 1, sizeof(*out->list)), .count = count};
    for (size_t i = 0; i < count; i++)
        make(first + i, a, &out->list[i]);
}
