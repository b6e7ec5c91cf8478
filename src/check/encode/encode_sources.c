/* SPDX-License-Identifier: MIT
 *
 * Which stores may a load read, by what is fixed in every execution?  None
 * after it, and none that is surely overwritten before it.
 */
#include <stdlib.h>

#include "base/check.h"
#include "encode/encode_graph.h"
#include "encode/encode_inside.h"

struct finder {
    const struct ranges *r;
    const struct flat *flat;
    const struct fixed *fixed;
};

static bool surely_at(const struct flat *f, const struct flat_event *e,
                      struct lsl_value address)
{
    const struct flat_value *v = &f->values[e->address];

    return e->kind == FLAT_STORE && v->op == FLAT_CONSTANT &&
           value_compare(v->constant, address) == 0;
}

/* Surely seen by the load if executed. */
static bool surely_seen(const struct finder *x, uint32_t store, uint32_t load)
{
    const struct flat_event *s = &x->flat->events[store];

    if (s->thread == x->flat->events[load].thread)
        return store < load;
    return fixed_before(x->fixed, x->flat, store, load);
}

static bool surely_overwrites(const struct finder *x, uint32_t store,
                              uint32_t later)
{
    if (x->flat->events[store].thread == x->flat->events[later].thread)
        return store < later;
    return fixed_before(x->fixed, x->flat, store, later);
}

/* Stores that the load surely sees, of its own surely known address. */
static size_t seen_stores(const struct finder *x, uint32_t load, uint32_t *list)
{
    const struct flat *f = x->flat;
    const struct flat_event *l = &f->events[load];
    const struct flat_value *at = &f->values[l->address];
    size_t n = 0;

    if (at->op != FLAT_CONSTANT || x->r->everything)
        return 0;
    for (uint32_t s = 0; s < f->event_count; s++) {
        if (surely_at(f, &f->events[s], at->constant) &&
            surely_seen(x, s, load) &&
            fixed_implies(f, l->guard, f->events[s].guard))
            list[n++] = s;
    }
    return n;
}

static bool can_read(const struct finder *x, uint32_t load, uint32_t store,
                     const uint32_t *seen, size_t seen_count)
{
    const struct flat *f = x->flat;
    const struct flat_event *l = &f->events[load], *s = &f->events[store];

    if (l->thread == s->thread
            ? store > load
            : !x->r->everything && fixed_before(x->fixed, f, load, store))
        return false;
    for (size_t i = 0; i < seen_count; i++) {
        if (seen[i] != store &&
            surely_at(f, s, f->values[l->address].constant) &&
            surely_overwrites(x, store, seen[i]))
            return false;
    }
    return true;
}

void sources_find(struct ranges *r, const struct flat *f,
                  const struct fixed *fixed, struct arena *a)
{
    const struct finder x = {r, f, fixed};
    uint32_t *seen = calloc(f->event_count + 1, sizeof *seen);
    VEC(uint32_t) sources = {0};

    CHECK(seen);
    r->first_source =
        arena_array(a, f->event_count + 1, sizeof *r->first_source);
    r->initial = arena_array(a, f->event_count + 1, sizeof *r->initial);
    for (uint32_t l = 0; l < f->event_count; l++) {
        size_t n = 0;

        r->first_source[l] = (uint32_t)sources.count;
        if (f->events[l].kind != FLAT_LOAD)
            continue;
        n = seen_stores(&x, l, seen);
        r->initial[l] = n == 0;
        for (uint32_t s = 0; s < f->event_count; s++) {
            if (graph_writes(&f->events[s]) && can_read(&x, l, s, seen, n))
                VEC_PUSH(&sources, s);
        }
    }
    CHECK(sources.count <= UINT32_MAX);
    r->first_source[f->event_count] = (uint32_t)sources.count;
    r->sources = sources.list;
    free(seen);
}
