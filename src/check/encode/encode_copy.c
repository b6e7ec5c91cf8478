/* SPDX-License-Identifier: MIT
 *
 * The specification as part of the formula, where it has too many observations
 * to be listed: beside the execution a second one, of the same operations with
 * the same choices, but serial.  Its order is not free.  Each operation has a
 * commit, its last access at a given site, and operations come in the order in
 * which their commits take effect.  If no execution differs from the serial
 * one beside it in what it observes, every execution is explained.
 *
 * Both being the same code, most of what they load is the same.  That is
 * proved load by load, operation by operation, and kept (lemmas): each step is
 * small, and the last one, about observations, follows.
 *
 * A commit that is badly chosen only leads to differences that mean nothing;
 * who asks has to look at them.
 */
#include <stdlib.h>

#include "base/check.h"
#include "encode/encode_inside.h"

struct copy {
    struct encoding y;     /* shares solver, order and ranges with its owner */
    const uint32_t *sites; /* per operation: of its commit */
    int disorder, difference;
    uint32_t *lemmas; /* loads, in the order in which to prove them */
    size_t lemma_count;
};

/* ---- Commits ---- */

struct commit {
    uint32_t *events; /* all accesses at the site */
    int *last;        /* it is the last one executed */
    uint32_t count;
    int missing; /* none is executed */
};

static void find_commit(struct encoding *x, uint32_t operation, uint32_t site,
                        struct commit *c)
{
    const struct flat_operation *o = &x->flat->operations[operation];
    int later = LIT_FALSE;

    c->count = 0;
    c->events = arena_array(&x->arena, o->count + 1, sizeof *c->events);
    c->last = arena_array(&x->arena, o->count + 1, sizeof *c->last);
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t e = o->first + i;
        uint8_t kind = x->flat->events[e].kind;

        if ((kind == FLAT_LOAD || kind == FLAT_STORE) &&
            x->flat->events[e].site == site && x->accesses[e].live != LIT_FALSE)
            c->events[c->count++] = e;
    }
    for (uint32_t i = c->count; i-- > 0;) {
        int live = x->accesses[c->events[i]].live;

        c->last[i] = solver_and(x->solver, live, -later);
        later = solver_or(x->solver, later, live);
    }
    c->missing = -later;
}

/* The commit of the first is before that of the second. */
static int commit_order(struct encoding *x, const struct commit *a,
                        const struct commit *b)
{
    struct solver *s = x->solver;
    int before;

    if (a->count == 0 || b->count == 0)
        return LIT_FALSE;
    if (a->count == 1 && b->count == 1)
        return order_commit(x, a->events[0], b->events[0]);
    before = solver_new_lit(s);
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t k = 0; k < b->count; k++) {
            int lit = order_commit(x, a->events[i], b->events[k]);

            solver_clause(s, -a->last[i], -b->last[k], -before, lit);
            solver_clause(s, -a->last[i], -b->last[k], before, -lit);
        }
    }
    return before;
}

/* ---- The serial execution's order ---- */

static uint32_t operation_of(const struct encoding *y, uint32_t node)
{
    return y->flat->events[y->node_events[y->node_first[node]]].operation;
}

static uint32_t thread_of(const struct encoding *y, uint32_t node)
{
    return y->flat->events[y->node_events[y->node_first[node]]].thread;
}

static int *slot(struct encoding *y, uint32_t a, uint32_t b)
{
    return &y->order[(size_t)a * y->node_count + b];
}

/* Only operations of the test's threads commit. */
static bool commits(const struct encoding *y, uint32_t node)
{
    return thread_of(y, node) != 0 && operation_of(y, node) != LSL_NONE;
}

static void give_order(struct encoding *x, struct encoding *y,
                       const struct commit *commit)
{
    for (uint32_t a = 0; a < y->node_count; a++) {
        for (uint32_t b = a + 1; b < y->node_count; b++) {
            if (!commits(y, a) || !commits(y, b) ||
                thread_of(y, a) == thread_of(y, b))
                continue;
            *slot(y, a, b) = commit_order(x, &commit[operation_of(y, a)],
                                          &commit[operation_of(y, b)]);
            *slot(y, b, a) = -*slot(y, a, b);
        }
    }
}

/* Is the order of commits one of operations?  a and b follow each other in
 * their thread; c of another one must not be before a and after b. */
static int find_disorder(struct encoding *x, struct encoding *y,
                         const struct commit *commit)
{
    struct solver *s = x->solver;
    int disorder = LIT_FALSE;

    for (uint32_t a = 0; a < y->node_count; a++) {
        uint32_t b = a + 1;

        if (!commits(y, a))
            continue;
        disorder = solver_or(s, disorder, commit[operation_of(y, a)].missing);
        if (b == y->node_count || thread_of(y, a) != thread_of(y, b))
            continue;
        for (uint32_t c = 0; c < y->node_count; c++) {
            if (*slot(y, a, c) && *slot(y, b, c))
                disorder = solver_or(
                    s, disorder, solver_and(s, *slot(y, c, a), *slot(y, b, c)));
        }
    }
    return disorder;
}

/* ---- Differences ---- */

/* The serial execution fails, or does not come to its end. */
static int find_failure(struct encoding *y)
{
    const struct flat *f = y->flat;
    struct solver *s = y->solver;
    int failure = LIT_FALSE;

    for (uint32_t i = 0; i < f->assume_count; i++)
        failure =
            solver_or(s, failure,
                      solver_and(s, value_guard(y, f->assumes[i].guard),
                                 -value_guard(y, f->assumes[i].condition)));
    for (uint32_t i = 0; i < f->cut_count; i++)
        failure = solver_or(s, failure, value_guard(y, f->cuts[i].guard));
    for (uint32_t i = 0; i < f->error_count; i++)
        failure = solver_or(s, failure, value_guard(y, f->errors[i].guard));
    for (size_t i = 0; i < y->troubles.count; i++)
        failure = solver_or(s, failure, y->troubles.list[i].lit);
    return failure;
}

static int differ(struct encoding *x, struct encoding *y, int live_x,
                  int live_y, uint32_t value)
{
    struct solver *s = x->solver;
    int one = solver_or(s, solver_and(s, live_x, -live_y),
                        solver_and(s, -live_x, live_y));
    int same = value_same(x, x->ranges.of + value, value_lits(x, value),
                          y->ranges.of + value, value_lits(y, value));

    return solver_or(s, one,
                     solver_and(s, solver_and(s, live_x, live_y), -same));
}

static int find_difference(struct encoding *x, struct encoding *y)
{
    const struct flat *f = x->flat;
    int difference = find_failure(y);

    for (uint32_t i = 0; i < f->observe_count; i++) {
        const struct flat_observe *o = &f->observes[i];

        difference = solver_or(x->solver, difference,
                               differ(x, y, value_guard(x, o->guard),
                                      value_guard(y, o->guard), o->value));
    }
    return difference;
}

/* ---- Lemmas ---- */

/* Loads of the first operations of all threads, then of the second ones. */
static void find_lemmas(struct encoding *x, struct copy *c)
{
    const struct flat *f = x->flat;
    uint32_t *rank = calloc(f->operation_count + 1, sizeof *rank), most = 0;

    CHECK(rank);
    for (uint32_t i = 1; i < f->operation_count; i++) {
        if (f->operations[i].thread == f->operations[i - 1].thread)
            rank[i] = rank[i - 1] + 1;
        if (rank[i] > most)
            most = rank[i];
    }
    c->lemmas = arena_array(&x->arena, f->event_count + 1, sizeof *c->lemmas);
    for (uint32_t r = 0; r <= most; r++) {
        for (uint32_t e = 0; e < f->event_count; e++) {
            const struct flat_event *event = &f->events[e];

            if (event->kind == FLAT_LOAD && event->operation != LSL_NONE &&
                rank[event->operation] == r &&
                x->accesses[e].live != LIT_FALSE && event->thread)
                c->lemmas[c->lemma_count++] = e;
        }
    }
    free(rank);
}

size_t encode_lemmas(const struct encoding *x)
{
    return x->copy ? x->copy->lemma_count : 0;
}

enum answer encode_try_lemma(struct encoding *x, size_t n,
                             bool (*stop)(void *context), void *context)
{
    uint32_t e = x->copy->lemmas[n];
    struct encoding *y = &x->copy->y;
    int lit = differ(x, y, x->accesses[e].live, y->accesses[e].live,
                     x->flat->events[e].value);
    enum answer answer;

    if (lit == LIT_FALSE)
        return ANSWER_NO;
    answer = encode_ask_about(x, lit, stop, context);
    if (answer == ANSWER_NO)
        solver_clause(x->solver, -lit, x->stop, x->error, x->unsupported);
    return answer;
}

/* ---- Making it ---- */

static void make_copy(struct encoding *x, struct encoding *y)
{
    const struct flat *f = x->flat;

    y->flat = f;
    y->model = &model_sc;
    y->options = (struct encode_options){.serial = true};
    y->solver = x->solver;
    y->fixed = x->fixed;
    y->ranges = x->ranges;
    encode_begin(y);
    /* The same choices. */
    for (uint32_t v = 1; v < f->value_count; v++) {
        if (f->values[v].op == FLAT_CHOSEN)
            y->values[v].lits = (int *)value_lits(x, v);
    }
}

void encode_add_serial(struct encoding *x, const uint32_t *sites)
{
    const struct flat *f = x->flat;
    struct copy *c = arena_alloc(&x->arena, sizeof *c);
    struct commit *commit =
        arena_array(&x->arena, f->operation_count + 1, sizeof *commit);

    x->copy = c;
    make_copy(x, &c->y);
    for (uint32_t i = 0; i < f->operation_count; i++)
        find_commit(x, i, sites[i], &commit[i]);
    give_order(x, &c->y, commit);
    c->disorder = find_disorder(x, &c->y, commit);
    access_encode(&c->y);
    CHECK(c->y.pairs.count == 0);
    c->difference = find_difference(x, &c->y);
    find_lemmas(x, c);
    order_encode(x);
}

void serial_copy_free(struct encoding *x)
{
    struct encoding *y;

    if (!x->copy)
        return;
    y = &x->copy->y;
    free(y->order);
    VEC_FREE(&y->pairs);
    VEC_FREE(&y->troubles);
    arena_free(&y->arena);
}

enum answer encode_ask_serial(struct encoding *x, bool disorder,
                              bool (*stop)(void *context), void *context)
{
    return encode_ask_about(
        x, disorder ? x->copy->disorder : x->copy->difference, stop, context);
}
