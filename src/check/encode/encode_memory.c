/* SPDX-License-Identifier: MIT
 *
 * Loads and the stores they read, for any order of memory (encode_order.c).
 * For a load l and the stores s it may see:
 *
 *   reads(s, l)  ->  s and l are executed, at the same address, and
 *                    s is before l in memory order or in program order
 *   sees(s, l)  <-   the same
 *   reads(s, l), sees(s', l)  ->  s' is before s in memory order
 *   initial(l)  ->  l sees nothing
 *
 * and the value goes from store to load.
 */
#include <stdlib.h>

#include "base/check.h"
#include "encode/encode_inside.h"

static const struct range *addresses(const struct encoding *x, uint32_t event)
{
    return &x->ranges.of[x->flat->events[event].address];
}

static bool is_access(const struct flat_event *e)
{
    return e->kind == FLAT_LOAD || e->kind == FLAT_STORE ||
           e->kind == FLAT_FREE;
}

void trouble_add(struct encoding *x, struct trouble t)
{
    if (t.lit != LIT_FALSE)
        VEC_PUSH(&x->troubles, t);
}

static void trouble_at(struct encoding *x, uint32_t event, int lit,
                       enum failure_kind failure, const char *text)
{
    const struct flat_event *e = &x->flat->events[event];

    trouble_add(x, (struct trouble){lit, (uint8_t)failure, e->site, e->thread,
                                    event, text});
}

/* ---- Addresses ---- */

/* free takes what malloc gave, and NULL. */
static bool is_good(const struct encoding *x, const struct flat_event *e,
                    struct lsl_value v)
{
    if (e->kind != FLAT_FREE)
        return address_is_good(x->flat, v, e->size);
    return v.kind == LSL_POINTER ? x->flat->objects[v.base].heap && v.bits == 0
                                 : v.kind == LSL_INTEGER && v.bits == 0;
}

static void name_bad(struct encoding *x, uint32_t event, struct lsl_value v,
                     int lit)
{
    const struct flat_event *e = &x->flat->events[event];

    if (v.kind == LSL_UNDEFINED)
        trouble_at(x, event, lit, FAIL_UNDEFINED,
                   "an undefined value is used as an address");
    else if (e->kind == FLAT_FREE)
        trouble_at(x, event, lit, FAIL_BAD_FREE, "");
    else if (v.kind == LSL_INTEGER && v.bits < 4096)
        trouble_at(x, event, lit, FAIL_NULL_ACCESS, "");
    else if (v.kind == LSL_POINTER && x->flat->objects[v.base].heap)
        trouble_at(x, event, lit, FAIL_OUT_OF_BOUNDS, "");
    else
        trouble_at(x, event, lit, FAIL_SEGV, "");
}

static void encode_address(struct encoding *x, uint32_t event)
{
    const struct flat_event *e = &x->flat->events[event];
    const struct range *r = addresses(x, event);
    int guard = value_guard(x, e->guard), bad = LIT_FALSE;
    const int *lits;

    x->accesses[event].live = x->accesses[event].bad = LIT_FALSE;
    if (guard == LIT_FALSE)
        return;
    lits = value_lits(x, e->address);
    for (uint32_t i = 0; i < r->count; i++) {
        if (is_good(x, e, r->list[i]))
            continue;
        bad = solver_or(x->solver, bad, lits[i]);
        name_bad(x, event, r->list[i], solver_and(x->solver, guard, lits[i]));
    }
    x->accesses[event].bad = solver_and(x->solver, guard, bad);
    x->accesses[event].live = solver_and(x->solver, guard, -bad);
}

int access_at(struct encoding *x, uint32_t event, struct lsl_value address)
{
    const struct flat_event *e = &x->flat->events[event];

    if (e->kind == FLAT_FREE)
        address.bits = 0;
    return value_is(x, e->address, address);
}

/* The addresses that both may have, one after the other from *i on: false when
 * there are no more. */
static bool next_common(struct encoding *x, uint32_t a, uint32_t b, uint32_t *i,
                        int *at_a, int *at_b)
{
    const struct flat_event *events = x->flat->events;
    const struct range *r;

    if (events[b].kind == FLAT_FREE && events[a].kind != FLAT_FREE)
        return next_common(x, b, a, i, at_b, at_a);
    r = addresses(x, b);
    for (; *i < r->count; ++*i) {
        struct lsl_value v = r->list[*i];

        if (!is_good(x, &events[b], v) || v.kind != LSL_POINTER)
            continue;
        *at_a = access_at(x, a, v);
        *at_b = value_lits(x, events[b].address)[*i];
        if (*at_a != LIT_FALSE && *at_b != LIT_FALSE) {
            ++*i;
            return true;
        }
    }
    return false;
}

int access_same(struct encoding *x, uint32_t first, uint32_t second)
{
    int a, b, same = LIT_FALSE;

    for (uint32_t i = 0; next_common(x, first, second, &i, &a, &b);)
        same = solver_or(x->solver, same, solver_and(x->solver, a, b));
    same = solver_and(x->solver, same, x->accesses[first].live);
    return solver_and(x->solver, same, x->accesses[second].live);
}

/* ---- Loads ---- */

static bool in_program_order(const struct encoding *x, uint32_t store,
                             uint32_t load)
{
    return x->flat->events[store].thread == x->flat->events[load].thread;
}

/* Of two stores at the same address. */
static int before(struct encoding *x, uint32_t first, uint32_t second)
{
    if (in_program_order(x, first, second))
        return first < second ? LIT_TRUE : LIT_FALSE;
    return order_lit(x, first, second);
}

static void read_value(struct encoding *x, uint32_t store, uint32_t load,
                       int reads)
{
    const struct flat_event *s = &x->flat->events[store];
    uint32_t loaded = x->flat->events[load].value;

    if (s->kind == FLAT_FREE) {
        solver_clause(x->solver, -reads, value_is(x, loaded, VALUE_FREED), 0,
                      0);
        return;
    }
    const struct range *r = &x->ranges.of[s->value];
    const int *lits = value_lits(x, s->value);

    for (uint32_t i = 0; i < r->count; i++)
        solver_clause(x->solver, -reads, -lits[i],
                      value_is(x, loaded, r->list[i]), 0);
}

static int encode_reads(struct encoding *x, uint32_t store, uint32_t load)
{
    struct solver *s = x->solver;
    int reads = solver_new_lit(s), a, b;
    const struct range *r = addresses(x, store);
    const int *at = value_lits(x, x->flat->events[store].address);

    solver_clause(s, -reads, x->accesses[store].live, 0, 0);
    solver_clause(s, -reads, x->accesses[load].live, 0, 0);
    if (!in_program_order(x, store, load) && !x->by_axioms)
        solver_clause(s, -reads, order_lit(x, store, load), 0, 0);
    if (x->flat->events[store].kind == FLAT_FREE) {
        int same = LIT_FALSE;

        for (uint32_t i = 0; next_common(x, store, load, &i, &a, &b);)
            same = solver_or(s, same, solver_and(s, a, b));
        solver_clause(s, -reads, same, 0, 0);
    } else {
        for (uint32_t i = 0; i < r->count; i++)
            solver_clause(s, -reads, -at[i], access_at(x, load, r->list[i]), 0);
    }
    read_value(x, store, load, reads);
    return reads;
}

/* Is it before the load, in memory or in program order?  Where loads have no
 * place in an order, only what threads' beginnings order counts. */
static int must_see(struct encoding *x, uint32_t store, uint32_t load)
{
    if (in_program_order(x, store, load))
        return LIT_TRUE;
    if (x->by_axioms)
        return fixed_before(&x->fixed, x->flat, store, load) ? LIT_TRUE
                                                             : LIT_FALSE;
    return order_lit(x, store, load);
}

/* Not needed the other way round. */
static int encode_sees(struct encoding *x, uint32_t store, uint32_t load)
{
    struct solver *s = x->solver;
    int ordered = must_see(x, store, load);
    int sees = 0, a, b;

    if (ordered == LIT_FALSE)
        return LIT_FALSE;
    for (uint32_t i = 0; next_common(x, store, load, &i, &a, &b);) {
        if (a == LIT_TRUE && b == LIT_TRUE && ordered == LIT_TRUE)
            return x->accesses[store].live;
        if (!sees)
            sees = solver_new_lit(s);
        solver_add(s, -x->accesses[store].live);
        solver_add(s, -a);
        solver_add(s, -b);
        solver_add(s, -ordered);
        solver_add(s, sees);
        solver_end(s);
    }
    return sees ? sees : LIT_FALSE;
}

static uint32_t find_links(struct encoding *x, uint32_t load)
{
    const struct ranges *r = &x->ranges;
    uint32_t n = 0, first = r->first_source[load];
    uint32_t count = r->first_source[load + 1] - first;
    struct link *links = arena_array(&x->arena, count + 1, sizeof *links);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t store = r->sources[first + i];

        if (x->accesses[store].live != LIT_FALSE &&
            ranges_may_alias(r, x->flat, store, load))
            links[n++] = (struct link){store, LIT_FALSE};
    }
    x->links[load] = links;
    return x->link_count[load] = n;
}

static int encode_initial(struct encoding *x, uint32_t load)
{
    const struct range *r = addresses(x, load);
    const struct flat_event *l = &x->flat->events[load];
    const int *at = value_lits(x, l->address);
    int initial;

    if (!x->ranges.initial[load])
        return LIT_FALSE;
    initial = solver_new_lit(x->solver);
    for (uint32_t i = 0; i < r->count; i++) {
        if (is_good(x, l, r->list[i]))
            solver_clause(x->solver, -initial, -at[i],
                          value_is(x, l->value,
                                   initial_value(x->flat, r->list[i], l->size)),
                          0);
    }
    return initial;
}

/* What a load that is not executed gives: one value is as good as another, if
 * all that is computed from it is in range, too.  So one that came there by the
 * fewest operations; those that are after the load are not among them. */
static int nearest(struct encoding *x, uint32_t value)
{
    const struct range *r = &x->ranges.of[value];
    uint32_t best = 0;

    for (uint32_t i = 1; i < r->count; i++) {
        if (r->depth.list[i] < r->depth.list[best])
            best = i;
    }
    return value_lits(x, value)[best];
}

static void encode_load(struct encoding *x, uint32_t load)
{
    const struct flat_event *l = &x->flat->events[load];
    struct solver *s = x->solver;
    uint32_t n = find_links(x, load);
    struct link *links = x->links[load];
    int *sees = calloc(n + 1, sizeof *sees);
    int live = x->accesses[load].live, initial = encode_initial(x, load);

    CHECK(sees);
    for (uint32_t i = 0; i < n; i++) {
        links[i].reads = encode_reads(x, links[i].store, load);
        sees[i] = encode_sees(x, links[i].store, load);
        solver_clause(s, -initial, -sees[i], 0, 0);
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n; k++) {
            if (i != k)
                solver_clause(s, -links[i].reads, -sees[k],
                              before(x, links[k].store, links[i].store), 0);
        }
    }
    for (uint32_t i = 0; x->by_axioms && i < n; i++) {
        solver_clause(s, -links[i].reads, -initial, 0, 0);
        for (uint32_t k = 0; k < i; k++)
            solver_clause(s, -links[i].reads, -links[k].reads, 0, 0);
    }
    for (uint32_t i = 0; i < n; i++)
        solver_add(s, links[i].reads);
    solver_add(s, initial);
    solver_add(s, -live);
    solver_end(s);
    free(sees);
    x->initial[load] = initial;

    if (x->ranges.of[l->value].count && live != LIT_TRUE)
        solver_clause(s, live, nearest(x, l->value), 0, 0);
    trouble_at(x, load, solver_and(s, live, value_is(x, l->value, VALUE_FREED)),
               FAIL_USE_AFTER_FREE, "");
}

/* ---- Free ---- */

static void encode_free_of(struct encoding *x, uint32_t release, uint32_t other)
{
    const struct flat_event *e = &x->flat->events[other];
    int same;

    if (!ranges_may_alias(&x->ranges, x->flat, release, other))
        return;
    same = access_same(x, release, other);
    if (e->kind == FLAT_FREE && release < other)
        trouble_at(x, other, same, FAIL_DOUBLE_FREE, "");
    else if (e->kind == FLAT_STORE)
        trouble_at(x, other,
                   solver_and(x->solver, same, before(x, release, other)),
                   FAIL_USE_AFTER_FREE, "");
}

static void encode_frees(struct encoding *x)
{
    const struct flat *f = x->flat;

    for (uint32_t i = 0; i < f->event_count; i++) {
        if (f->events[i].kind != FLAT_FREE || x->accesses[i].live == LIT_FALSE)
            continue;
        for (uint32_t k = 0; k < f->event_count; k++) {
            if (k != i && x->accesses[k].live != LIT_FALSE &&
                is_access(&f->events[k]) && f->events[k].kind != FLAT_LOAD)
                encode_free_of(x, i, k);
        }
    }
}

/* Stores of one location have an order, whoever reads them. */
static void order_stores(struct encoding *x)
{
    const struct flat *f = x->flat;

    for (uint32_t i = 0; i < f->event_count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (f->events[i].kind == FLAT_STORE &&
                f->events[k].kind == FLAT_STORE &&
                f->events[i].thread != f->events[k].thread &&
                x->accesses[i].live != LIT_FALSE &&
                x->accesses[k].live != LIT_FALSE &&
                ranges_may_alias(&x->ranges, f, i, k))
                order_lit(x, k, i);
        }
    }
}

void access_encode(struct encoding *x)
{
    const struct flat *f = x->flat;

    for (uint32_t i = 0; i < f->event_count; i++) {
        if (is_access(&f->events[i]))
            encode_address(x, i);
        else
            x->accesses[i].live = value_guard(x, f->events[i].guard);
    }
    for (uint32_t i = 0; i < f->event_count; i++) {
        if (f->events[i].kind == FLAT_LOAD &&
            x->ranges.guard[f->events[i].guard] & MAY_BE_TRUE)
            encode_load(x, i);
    }
    encode_frees(x);
    if (x->by_axioms)
        order_stores(x);
}
