/* SPDX-License-Identifier: MIT
 *
 * The formula as a whole, and its questions.  A solution is an execution, or
 * the beginning of one: a thread may stop where a lock or a loop's bound holds
 * it back, but only if the question is about an error of another thread or
 * about the bound itself.  An assumption after an error must not hide the
 * error.
 */
#include "encode/encode.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/seconds.h"
#include "encode/encode_inside.h"
#include "encode/encode_relate.h"

/* ---- Nodes ---- */

static bool is_access(const struct flat_event *e)
{
    return e->kind == FLAT_LOAD || e->kind == FLAT_STORE ||
           e->kind == FLAT_FREE;
}

/* Is the event in the same node as the access before it? */
static bool goes_on(const struct encoding *x, const struct flat_event *last,
                    const struct flat_event *e)
{
    if (!last || last->thread != e->thread)
        return false;
    if (x->options.serial)
        return last->operation == e->operation;
    return e->unit && last->unit == e->unit && !statement_splits(x, e);
}

static void find_nodes(struct encoding *x)
{
    const struct flat *f = x->flat;
    const struct flat_event *last = NULL;
    uint32_t n = 0;

    x->node_first =
        arena_array(&x->arena, f->event_count + 2, sizeof *x->node_first);
    x->node_events =
        arena_array(&x->arena, f->event_count + 1, sizeof *x->node_events);
    for (uint32_t e = 0; e < f->event_count; e++) {
        if (!is_access(&f->events[e]))
            continue;
        if (!goes_on(x, last, &f->events[e]))
            x->node_first[x->node_count++] = n;
        last = &f->events[e];
        x->accesses[e].node = x->node_count - 1;
        x->node_events[n++] = e;
        CHECK(n - x->node_first[x->node_count - 1] == 1 ||
              f->events[x->node_events[n - 2]].thread == f->events[e].thread);
    }
    x->node_first[x->node_count] = n;
    x->order =
        calloc((size_t)x->node_count * x->node_count + 1, sizeof *x->order);
    CHECK(x->order);
}

/* ---- What may go wrong, and where a thread may stop ---- */

static void encode_errors(struct encoding *x)
{
    const struct flat *f = x->flat;

    for (uint32_t i = 0; i < f->error_count; i++) {
        const struct flat_error *e = &f->errors[i];

        trouble_add(x, (struct trouble){value_guard(x, e->guard), e->failure,
                                        e->site, e->thread, LSL_NONE, e->text});
    }
}

static int any_trouble(struct encoding *x, bool unsupported)
{
    int *lits = calloc(x->troubles.count + 1, sizeof *lits), out;
    size_t n = 0;

    CHECK(lits);
    for (size_t i = 0; i < x->troubles.count; i++) {
        if ((x->troubles.list[i].failure == FAIL_UNSUPPORTED) == unsupported)
            lits[n++] = x->troubles.list[i].lit;
    }
    out = solver_or_all(x->solver, lits, n);
    free(lits);
    return out;
}

static void encode_cuts(struct encoding *x)
{
    const struct flat *f = x->flat;

    for (uint32_t i = 0; i < f->assume_count; i++) {
        const struct flat_assume *a = &f->assumes[i];

        solver_clause(x->solver, -value_guard(x, a->guard),
                      value_guard(x, a->condition),
                      a->kind == ASSUME_LOCK ? x->stop : 0, 0);
    }
    x->bound = LIT_FALSE;
    x->beyond = arena_array(&x->arena, f->cut_count + 1, sizeof *x->beyond);
    for (uint32_t i = 0; i < f->cut_count; i++) {
        int cut = value_guard(x, f->cuts[i].guard);

        solver_clause(x->solver, -cut,
                      f->cuts[i].kind == CUT_ONCE ? 0 : x->stop, 0, 0);
        if (f->cuts[i].kind == CUT_BOUND)
            x->bound = solver_or(x->solver, x->bound, cut);
    }
}

static void encode_questions(struct encoding *x)
{
    struct solver *s = x->solver;

    x->stop = solver_new_lit(s);
    x->stuck = solver_new_lit(s);
    x->race = solver_new_lit(s);
    x->blocking = solver_new_lit(s);
    x->violation = solver_new_lit(s);
    encode_cuts(x);
    encode_errors(x);
    x->unsupported = any_trouble(x, true);
    x->error = any_trouble(x, false);
    solver_add(s, -x->stop);
    solver_add(s, x->error);
    solver_add(s, x->unsupported);
    solver_add(s, x->bound);
    solver_add(s, x->stuck);
    solver_add(s, x->race);
    solver_end(s);
    /* What only a bound stops is no violation. */
    solver_clause(s, -x->violation, -x->stop, x->error, 0);
}

/* ---- Making it ---- */

static void make_arrays(struct encoding *x)
{
    const struct flat *f = x->flat;
    struct arena *a = &x->arena;
    uint32_t events = f->event_count + 1;

    x->values = arena_array(a, f->value_count, sizeof *x->values);
    x->guards = arena_array(a, f->value_count, sizeof *x->guards);
    x->accesses = arena_array(a, events, sizeof *x->accesses);
    x->links = arena_array(a, events, sizeof *x->links);
    x->link_count = arena_array(a, events, sizeof *x->link_count);
    x->initial = arena_array(a, events, sizeof *x->initial);
    x->run.values = arena_array(a, f->value_count, sizeof *x->run.values);
    x->run.executed = arena_array(a, events, sizeof *x->run.executed);
    x->run.address = arena_array(a, events, sizeof *x->run.address);
    x->run.value = arena_array(a, events, sizeof *x->run.value);
}

void encode_begin(struct encoding *x)
{
    if (!x->statement)
        graph_find_rules(x);
    make_arrays(x);
    find_nodes(x);
}

static void make_fences(struct encoding *x)
{
    size_t n = x->options.fence_count;

    x->fence_lits = arena_array(&x->arena, n + 1, sizeof *x->fence_lits);
    x->fence_on = arena_array(&x->arena, n + 1, sizeof *x->fence_on);
    for (size_t i = 0; i < n; i++) {
        x->fence_lits[i] = solver_new_lit(x->solver);
        x->fence_on[i] = x->options.fences[i].present;
    }
}

static void count_accesses(struct encoding *x)
{
    const struct flat *f = x->flat;

    for (uint32_t e = 0; e < f->event_count; e++) {
        if (x->accesses[e].live == LIT_FALSE)
            continue;
        x->stats.loads += f->events[e].kind == FLAT_LOAD;
        x->stats.stores += f->events[e].kind == FLAT_STORE;
    }
    x->stats.instructions = f->instruction_count;
    x->stats.vars = solver_vars(x->solver);
    x->stats.clauses = solver_clauses(x->solver);
    x->stats.order_vars = x->order_vars;
}

static bool refuse(const struct flat *f, uint32_t event, const char *why,
                   struct err *e)
{
    struct buf place = {0};

    lsl_put_site(f->program, f->events[event].site, &place);
    err_set(e, "%s: %s", place.bytes, why);
    buf_free(&place);
    return false;
}

/* Do threads use, in no order, what it accesses? */
static bool is_shared(const struct encoding *x, uint32_t event)
{
    const struct flat *f = x->flat;

    for (uint32_t i = 0; i < f->event_count; i++) {
        if (is_access(&f->events[i]) &&
            f->events[i].thread != f->events[event].thread &&
            (f->events[i].kind == FLAT_STORE ||
             f->events[event].kind == FLAT_STORE) &&
            !fixed_before(&x->fixed, f, i, event) &&
            !fixed_before(&x->fixed, f, event, i) &&
            ranges_may_alias(&x->ranges, f, i, event))
            return true;
    }
    return false;
}

/* What has no meaning on a model of terms and axioms.  A ghost is no event to a
 * processor, so no fence may order anything by it; to C11 it is one that no
 * order comes from. */
static bool is_stated(const struct encoding *x, struct err *e)
{
    const struct flat *f = x->flat;

    for (uint32_t i = 0; i < f->event_count; i++) {
        if (f->events[i].parts &&
            (!x->model->by_language ||
             f->events[i].flags & (FLAT_ATOMIC | FLAT_RMW)))
            return refuse(f, i,
                          "an atomic access of 16 bytes is not supported on "
                          "this model",
                          e);
        if (f->events[i].flags & FLAT_BLOCK)
            return refuse(f, i, "fencer_atomic has no meaning on this model",
                          e);
        if (f->events[i].flags & FLAT_GHOST &&
            (!x->model->by_language || is_shared(x, i)))
            return refuse(f, i, "fencer_ghost has no meaning on this model", e);
    }
    return true;
}

static void find_own(struct encoding *x)
{
    const struct flat *f = x->flat;

    x->own = arena_array(&x->arena, f->event_count + 1, sizeof *x->own);
    for (uint32_t i = 0; i < f->event_count; i++)
        x->own[i] = is_access(&f->events[i]) && !is_shared(x, i);
}

static bool sizes_fit(const struct encoding *x, struct err *e)
{
    bool even = sizes_are_even(x->flat, &x->ranges, e);

    if (x->options.mixed)
        *x->options.mixed = !even;
    return even;
}

struct encoding *encode_new(const struct flat *f, const struct model *m,
                            const struct encode_options *options, struct err *e)
{
    struct encoding *x = calloc(1, sizeof *x);
    double began = seconds_worked();

    CHECK(x);
    x->flat = f;
    x->model = m;
    x->options = *options;
    x->ranges.everything = options->no_ranges;
    if (!options->serial)
        x->statement = statement_read(m, &x->arena);
    x->one_order = x->statement && m->axioms->edges == EDGE_ALL;
    x->by_axioms = x->statement && !x->one_order;
    if (x->statement)
        x->options.order = ORDER_LAZY;
    x->solver = solver_new();
    fixed_find(&x->fixed, f, &x->arena);
    if (!ranges_find(&x->ranges, f, &x->fixed, &x->arena, e) ||
        !sizes_fit(x, e) || (x->statement && !is_stated(x, e)))
        goto failed;
    if (x->one_order && !x->statement->mapping)
        find_own(x);
    encode_begin(x);
    make_fences(x);
    access_encode(x);
    torn_encode(x);
    if (x->statement)
        terms_encode_atomic(x);
    encode_questions(x);
    observe_encode(x);
    order_encode(x);
    count_accesses(x);
    x->stats.encode_s = seconds_worked() - began;
    return x;
failed:
    encode_free(x);
    return NULL;
}

void encode_free(struct encoding *x)
{
    if (!x)
        return;
    serial_copy_free(x);
    solver_free(x->solver);
    ranges_free(&x->ranges);
    free(x->order);
    VEC_FREE(&x->pairs);
    VEC_FREE(&x->torn);
    VEC_FREE(&x->troubles);
    VEC_FREE(&x->races);
    arena_free(&x->arena);
    free(x);
}

/* ---- Asking ---- */

/* In a hurry: solutions of one question, and conflicts until each. */
#define HURRY_SOLVES 300
#define HURRY_CONFLICTS 10000

void encode_hurry(struct encoding *x, bool on)
{
    x->in_hurry = on;
    solver_limit(x->solver, on ? HURRY_CONFLICTS : 0);
}

/* Loops that were found beyond their bound are not asked for again. */
static void assume_known(struct encoding *x)
{
    const struct flat *f = x->flat;

    for (uint32_t i = 0; i < f->cut_count; i++) {
        if (x->beyond[i])
            solver_assume(x->solver, -value_guard(x, f->cuts[i].guard));
    }
}

static void note_beyond(struct encoding *x)
{
    const struct flat *f = x->flat;

    for (uint32_t i = 0; i < f->cut_count; i++) {
        if (f->cuts[i].kind == CUT_BOUND && guard_found(x, f->cuts[i].guard))
            x->beyond[i] = true;
    }
}

static void assume(struct encoding *x, enum encode_question q)
{
    struct solver *s = x->solver;

    for (size_t i = 0; i < x->options.fence_count; i++)
        solver_assume(s, x->fence_on[i] ? x->fence_lits[i] : -x->fence_lits[i]);
    if (q != ASK_UNSUPPORTED)
        solver_assume(s, -x->unsupported);
    if (q != ASK_STUCK)
        solver_assume(s, -x->stuck);
    if (q != ASK_RACE)
        solver_assume(s, -x->race);
    switch (q) {
    case ASK_ANY:
        solver_assume(s, -x->error);
        solver_assume(s, -x->stop);
        solver_assume(s, x->blocking);
        break;
    case ASK_ERROR:
        solver_assume(s, x->error);
        break;
    case ASK_VIOLATION:
        solver_assume(s, x->violation);
        solver_assume(s, x->blocking);
        break;
    case ASK_BOUND:
        solver_assume(s, -x->error);
        solver_assume(s, x->bound);
        assume_known(x);
        break;
    case ASK_UNSUPPORTED:
        solver_assume(s, x->unsupported);
        break;
    case ASK_STUCK:
        solver_assume(s, x->stuck);
        break;
    case ASK_RACE:
        solver_assume(s, -x->error);
        solver_assume(s, x->race);
    }
}

/* The one literal of the value that holds. */
static uint32_t only_lit(struct encoding *x, uint32_t value)
{
    const int *lits = x->values[value].lits;
    uint32_t count = x->ranges.of[value].count, found = count;

    for (uint32_t i = 0; i < count; i++) {
        if (!solver_value(x->solver, lits[i]))
            continue;
        CHECK(found == count);
        found = i;
    }
    CHECK(found < count);
    return found;
}

/* Values of the solution: what was loaded and chosen says the rest. */
static void take_values(struct encoding *x)
{
    const struct flat *f = x->flat;

    for (uint32_t v = 1; v < f->value_count; v++) {
        const struct flat_value *value = &f->values[v];
        const struct range *r = &x->ranges.of[v];
        struct lsl_value found = {LSL_UNDEFINED, 0, 0};

        if (value->op != FLAT_LOADED && value->op != FLAT_CHOSEN)
            continue;
        if (r->count)
            found = r->list[x->values[v].lits ? only_lit(x, v) : 0];
        x->run.values[v] = found;
        if (value->op == FLAT_LOADED)
            x->run.value[value->a] = found;
    }
    flat_evaluate(f, &x->run);
    for (uint32_t v = 1; v < f->value_count; v++)
        CHECK(!x->guards[v] ||
              solver_value(x->solver, x->guards[v]) == guard_found(x, v));
}

/* Solutions until one is an execution, or too many in a hurry. */
static enum answer solve(struct encoding *x, enum encode_question q, int lit,
                         bool (*stop)(void *context), void *context)
{
    double began = seconds_worked();
    enum solved solved = SOLVED_NOT;
    uint64_t most = x->in_hurry ? x->stats.solves + HURRY_SOLVES : UINT64_MAX;

    x->asked = q;
    while (x->stats.solves < most) {
        assume(x, q);
        solver_assume(x->solver, lit);
        x->stats.solves++;
        solved = solver_solve(x->solver, stop, context);
        if (solved != SOLVED_YES)
            break;
        take_values(x);
        if (!order_forbid_cycles(x) && !thin_forbid_values(x))
            break;
        solved = SOLVED_NOT;
    }
    x->stats.solve_s += seconds_worked() - began;
    return solved == SOLVED_YES  ? ANSWER_YES
           : solved == SOLVED_NO ? ANSWER_NO
                                 : ANSWER_UNKNOWN;
}

enum answer encode_ask_about(struct encoding *x, int lit,
                             bool (*stop)(void *context), void *context)
{
    return solve(x, ASK_ANY, lit, stop, context);
}

enum answer encode_ask(struct encoding *x, enum encode_question q,
                       bool (*stop)(void *context), void *context)
{
    enum answer answer;

    if (q == ASK_STUCK)
        stuck_encode(x);
    if (q == ASK_RACE)
        race_encode(x);
    answer = solve(x, q, LIT_TRUE, stop, context);
    if (answer == ANSWER_YES && q == ASK_BOUND)
        note_beyond(x);
    return answer;
}

void encode_avoid(struct encoding *x)
{
    struct arena scratch = ARENA_INIT;
    bool any = false;

    for (size_t i = 0; i < x->troubles.count; i++) {
        if (!solver_value(x->solver, x->troubles.list[i].lit))
            continue;
        solver_clause(x->solver, -x->troubles.list[i].lit, 0, 0, 0);
        any = true;
    }
    if (!any)
        encode_allow(x, observe_found(x, &scratch));
    arena_free(&scratch);
}

size_t encode_beyond(const struct encoding *x, struct arena *a, uint64_t **keys)
{
    const struct flat *f = x->flat;
    size_t n = 0;

    *keys = arena_array(a, f->cut_count + 1, sizeof **keys);
    for (uint32_t i = 0; i < f->cut_count; i++) {
        if (x->beyond[i])
            (*keys)[n++] = f->cuts[i].key;
    }
    return n;
}

void encode_set_fence(struct encoding *x, size_t n, bool on)
{
    CHECK(n < x->options.fence_count);
    x->fence_on[n] = on;
}

void encode_stats(const struct encoding *x, struct encode_stats *out)
{
    *out = x->stats;
}

/* ---- What was found ---- */

static void *copy(struct arena *a, const void *from, size_t count, size_t size)
{
    void *to = arena_array(a, count + 1, size);

    memcpy(to, from, count * size);
    return to;
}

/* What the load reads: one store, or else the initial value. */
static uint32_t store_read(struct encoding *x, uint32_t load)
{
    uint32_t found = FLAT_INITIAL;

    for (uint32_t i = 0; i < x->link_count[load]; i++) {
        const struct link *l = &x->links[load][i];

        if (!solver_value(x->solver, l->reads))
            continue;
        CHECK(found == FLAT_INITIAL && x->run.executed[l->store]);
        found = l->store;
    }
    CHECK((found == FLAT_INITIAL) == solver_value(x->solver, x->initial[load]));
    return found;
}

static void take_run(struct encoding *x, struct arena *a, struct flat_run *run)
{
    const struct flat *f = x->flat;
    uint32_t n = f->event_count;

    *run = (struct flat_run){
        .values = copy(a, x->run.values, f->value_count, sizeof *run->values),
        .executed = copy(a, x->run.executed, n, sizeof *run->executed),
        .address = copy(a, x->run.address, n, sizeof *run->address),
        .value = copy(a, x->run.value, n, sizeof *run->value),
        .rf = arena_array(a, n + 1, sizeof *run->rf)};
    for (uint32_t e = 0; e < n; e++) {
        run->rf[e] = FLAT_INITIAL;
        if (!is_access(&f->events[e]))
            continue;
        if (!solver_value(x->solver, x->accesses[e].live))
            run->executed[e] = false;
        else if (f->events[e].kind == FLAT_LOAD)
            run->rf[e] = store_read(x, e);
    }
    order_take_run(x, a, run);
}

static void take_trouble(struct encoding *x, struct encode_found *out)
{
    out->event = LSL_NONE;
    for (size_t i = 0; i < x->troubles.count && !out->text; i++) {
        const struct trouble *t = &x->troubles.list[i];

        if (!solver_value(x->solver, t->lit))
            continue;
        out->failure = t->failure;
        out->site = t->site;
        out->thread = t->thread;
        out->event = t->event;
        out->text = *t->text ? t->text : failure_kind_words(t->failure);
    }
}

void encode_found(struct encoding *x, struct arena *a, struct encode_found *out)
{
    *out = (struct encode_found){.race = {LSL_NONE, LSL_NONE}};
    take_run(x, a, &out->run);
    take_trouble(x, out);
    if (x->asked == ASK_STUCK)
        stuck_found(x, a, out);
    if (x->asked == ASK_RACE) {
        out->race[0] = x->race_found.first;
        out->race[1] = x->race_found.second;
    }
    out->observation = observe_found(x, a);
}
