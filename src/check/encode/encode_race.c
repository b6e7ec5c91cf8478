/* SPDX-License-Identifier: MIT
 *
 * Data races of C11: two accesses of one location, of different threads, one of
 * them a store and one of them not atomic, that happens-before does not order.
 * Each pair that may conflict has a literal, which says that it does.  That
 * nothing orders the two is looked at in solutions: what does becomes a clause.
 */
#include "base/check.h"
#include "encode/encode_graph.h"
#include "encode/encode_relate.h"

static bool is_access(const struct flat_event *e)
{
    return e->kind == FLAT_LOAD || e->kind == FLAT_STORE;
}

static bool is_atomic(const struct flat_event *e)
{
    return e->flags & (FLAT_ATOMIC | FLAT_LOCK) || order_is_atomic(e->order);
}

static bool may_race(const struct encoding *x, uint32_t a, uint32_t b)
{
    const struct flat_event *e = &x->flat->events[a], *f = &x->flat->events[b];

    return is_access(e) && is_access(f) && e->thread != f->thread &&
           (e->kind == FLAT_STORE || f->kind == FLAT_STORE) &&
           !(is_atomic(e) && is_atomic(f)) &&
           x->accesses[a].live != LIT_FALSE &&
           x->accesses[b].live != LIT_FALSE &&
           !fixed_before(&x->fixed, x->flat, a, b) &&
           !fixed_before(&x->fixed, x->flat, b, a) &&
           ranges_may_alias(&x->ranges, x->flat, a, b);
}

void race_encode(struct encoding *x)
{
    if (x->races_encoded)
        return;
    x->races_encoded = true;
    for (uint32_t a = 0; a < x->flat->event_count; a++) {
        for (uint32_t b = a + 1; b < x->flat->event_count; b++) {
            int lit;

            if (!may_race(x, a, b))
                continue;
            lit = solver_new_lit(x->solver);
            solver_clause(x->solver, -lit, access_same(x, a, b), 0, 0);
            VEC_PUSH(&x->races, {a, b, lit});
        }
    }
    for (size_t i = 0; i < x->races.count; i++)
        solver_add(x->solver, x->races.list[i].lit);
    solver_add(x->solver, -x->race);
    solver_end(x->solver);
}

/* Not both: the race, and what orders the two. */
static size_t forbid_ordered(struct relate *r, const struct evaluated *hb,
                             uint32_t first, uint32_t second, int lit)
{
    struct reasons why = {0};

    if (!relate_has(r, relate_whole(hb), first, second))
        return 0;
    reasons_add(&why, lit);
    relate_explain(r, hb, first, second, &why);
    for (size_t i = 0; i < why.count; i++)
        solver_add(r->x->solver, -why.list[i]);
    solver_end(r->x->solver);
    VEC_FREE(&why);
    return 1;
}

size_t race_forbid(struct relate *r, const struct evaluated *hb)
{
    struct encoding *x = r->x;
    size_t added = 0;
    bool found = false;

    if (x->asked != ASK_RACE)
        return 0;
    for (size_t i = 0; i < x->races.count; i++) {
        const struct race *race = &x->races.list[i];
        uint32_t a = r->point_of[race->first], b = r->point_of[race->second];
        size_t ordered;

        if (!solver_value(x->solver, race->lit))
            continue;
        CHECK(a != NO_POINT && b != NO_POINT);
        ordered = forbid_ordered(r, hb, a, b, race->lit) +
                  forbid_ordered(r, hb, b, a, race->lit);
        if (!ordered && !found) {
            x->race_found = *race;
            found = true;
        }
        added += ordered;
    }
    CHECK(found || added);
    return found ? 0 : added;
}

/* A free of what a store is to comes after what happens before it. */
size_t free_forbid(struct relate *r, const struct evaluated *hb)
{
    struct encoding *x = r->x;
    const struct flat_event *events = x->flat->events;
    size_t added = 0;

    for (size_t i = 0; i < x->pairs.count; i++) {
        uint32_t a = x->node_events[x->node_first[x->pairs.list[i].x]];
        uint32_t b = x->node_events[x->node_first[x->pairs.list[i].y]];
        uint32_t p = r->point_of[a], q = r->point_of[b];
        int lit = order_lit(x, a, b);

        if ((events[a].kind != FLAT_FREE && events[b].kind != FLAT_FREE) ||
            p == NO_POINT || q == NO_POINT)
            continue;
        added += solver_value(x->solver, lit)
                     ? forbid_ordered(r, hb, q, p, lit)
                     : forbid_ordered(r, hb, p, q, -lit);
    }
    return added;
}
