/* SPDX-License-Identifier: MIT
 *
 * C11's axioms and data races, as c11_axioms.h says.
 */
#include "verify/c11_axioms.h"

#include <string.h>

#include "verify/c11_execution.h"

#define NODES_MAX 2048

/* ---- Relations ---- */

static void add_identity(const struct execution *x, struct square r)
{
    for (size_t i = 0; i < x->all.count; i++)
        square_put(&x->all, r, i, i);
}

/* [from];r;[to] */
static struct square between(struct execution *x, struct square r,
                             bool (*from)(const struct node *),
                             bool (*to)(const struct node *))
{
    struct square out = square_new(&x->all);

    for (size_t i = 0; i < x->all.count; i++) {
        for (size_t j = 0; j < x->all.count; j++) {
            if (square_has(&x->all, r, i, j) && (!from || from(&x->nodes[i])) &&
                (!to || to(&x->nodes[j])))
                square_put(&x->all, out, i, j);
        }
    }
    return out;
}

/* ---- Sets ---- */

static bool is_atomic_write(const struct node *n)
{
    return n->writes && n->atomic;
}

static bool is_atomic_read(const struct node *n)
{
    return n->reads && n->atomic;
}

static bool is_fence(const struct node *n)
{
    return n->fence;
}

static bool releases(const struct node *n)
{
    return (n->writes || n->fence) && order_releases(n->order);
}

static bool acquires(const struct node *n)
{
    return (n->reads || n->fence) && order_acquires(n->order);
}

static bool is_seq_cst(const struct node *n)
{
    return n->order == ORDER_SEQ_CST && (n->fence || n->location);
}

static bool is_seq_cst_fence(const struct node *n)
{
    return n->fence && n->order == ORDER_SEQ_CST;
}

/* ---- From the trace ---- */

static void add_node(struct execution *x, size_t event, bool reads_,
                     bool writes_)
{
    const struct event *e = &x->t->events[event];

    x->nodes[x->all.count++] = (struct node){
        .event = (uint32_t)event,
        .thread = e->thread,
        .order = e->flags & EVF_ORDER,
        .reads = reads_,
        .writes = writes_,
        .fence = e->kind == EV_FENCE,
        .atomic = order_is_atomic(e->flags & EVF_ORDER),
        .location = location_of(x->t, event),
        .mate = -1,
    };
}

static void add_event(struct execution *x, size_t event)
{
    const struct event *e = &x->t->events[event];
    int first = (int)x->all.count;
    bool both = reads(e) && writes(e);

    x->read_of[event] = x->write_of[event] = -1;
    x->node_of[event] = first + both;
    add_node(x, event, reads(e), writes(e) && !both);
    if (reads(e))
        x->read_of[event] = first;
    else if (writes(e))
        x->write_of[event] = first;
    if (!both)
        return;
    add_node(x, event, false, true);
    x->write_of[event] = first + 1;
    x->nodes[first].mate = first + 1;
    x->nodes[first + 1].mate = first;
}

static bool same_location(const struct node *a, const struct node *b)
{
    return a->location && a->location == b->location;
}

/* ---- Base relations ---- */

/* Nodes are in the order of the trace, which has each thread's in order. */
static void fill_po(struct execution *x)
{
    for (size_t i = 0; i < x->all.count; i++) {
        for (size_t j = i + 1; j < x->all.count; j++) {
            if (x->nodes[i].thread == x->nodes[j].thread)
                square_put(&x->all, x->po, i, j);
        }
    }
}

static uint64_t left_by(const struct event *e)
{
    return e->kind == EV_STORE ? e->value : e->wrote;
}

static bool fill_rf(struct execution *x, struct err *e)
{
    for (size_t i = 0; i < x->all.count; i++) {
        const struct node *n = &x->nodes[i];
        const struct event *ev = &x->t->events[n->event];
        int from;

        if (!n->reads || !ev->from)
            continue;
        from = x->write_of[ev->from - 1];
        if (from < 0 || !same_location(n, &x->nodes[from]) ||
            left_by(&x->t->events[ev->from - 1]) != ev->value)
            return err_set(e, "event %u does not read what it says",
                           n->event + 1);
        square_put(&x->all, x->rf, (size_t)from, i);
    }
    return true;
}

static bool fill_co(struct execution *x, struct err *e)
{
    for (size_t i = 0; i < x->all.count; i++) {
        for (size_t j = 0; j < x->all.count; j++) {
            const struct node *a = &x->nodes[i], *b = &x->nodes[j];

            if (i == j || !a->writes || !b->writes || !same_location(a, b))
                continue;
            if (x->t->events[a->event].co == x->t->events[b->event].co)
                return err_set(e, "two writes have one place");
            if (x->t->events[a->event].co < x->t->events[b->event].co)
                square_put(&x->all, x->co, i, j);
        }
    }
    return true;
}

/* The initial write is no node: what reads it is before every write. */
static void fill_fr(struct execution *x)
{
    for (size_t i = 0; i < x->all.count; i++) {
        const struct node *n = &x->nodes[i];
        uint32_t from = x->t->events[n->event].from;

        if (!n->reads)
            continue;
        for (size_t j = 0; j < x->all.count; j++) {
            const struct node *w = &x->nodes[j];

            if (w->writes && same_location(n, w) &&
                (!from ||
                 square_has(&x->all, x->co, (size_t)x->write_of[from - 1], j)))
                square_put(&x->all, x->fr, i, j);
        }
    }
}

static void fill_rmw(struct execution *x)
{
    for (size_t i = 0; i < x->all.count; i++) {
        if (x->nodes[i].reads && x->nodes[i].mate >= 0)
            square_put(&x->all, x->rmw, i, (size_t)x->nodes[i].mate);
    }
}

/* What made a thread is before all of it, and all of it before its join. */
static bool is_made_or_joined(const struct execution *x, size_t i, size_t j)
{
    const struct node *a = &x->nodes[i], *b = &x->nodes[j];
    const struct event *first = &x->t->events[a->event];
    const struct event *second = &x->t->events[b->event];

    return (first->kind == EV_CREATE && first->value == b->thread) ||
           (second->kind == EV_JOIN && second->value == a->thread) ||
           (first->kind == EV_CREATE && second->kind == EV_JOIN &&
            first->value == second->value);
}

static struct square made_and_joined(struct execution *x)
{
    struct square r = square_new(&x->all);

    for (size_t i = 0; i < x->all.count; i++) {
        for (size_t j = 0; j < x->all.count; j++) {
            if (is_made_or_joined(x, i, j))
                square_put(&x->all, r, i, j);
        }
    }
    return r;
}

/* ---- Happens-before ---- */

/* Release sequences as C++20 has them: a write, and RMWs that read on. */
static struct square release_sequences(struct execution *x)
{
    struct square on = square_compose(&x->all, x->rf, x->rmw);

    square_close(&x->all, on);
    add_identity(x, on);
    return between(x, on, is_atomic_write, is_atomic_write);
}

/* r? */
static struct square or_not(struct execution *x, struct square r)
{
    struct square out = square_copy(&x->all, r);

    add_identity(x, out);
    return out;
}

static struct square synchronizes(struct execution *x)
{
    struct square by_fence = or_not(x, between(x, x->po, is_fence, NULL));
    struct square to_fence = or_not(x, between(x, x->po, NULL, is_fence));
    struct square read =
        between(x, square_compose(&x->all, release_sequences(x), x->rf), NULL,
                is_atomic_read);

    return between(x,
                   square_compose(&x->all,
                                  square_compose(&x->all, by_fence, read),
                                  to_fence),
                   releases, acquires);
}

static void fill_hb(struct execution *x)
{
    x->sequence = square_copy(&x->all, x->po);
    square_join(&x->all, x->sequence, made_and_joined(x));
    x->hb = square_copy(&x->all, x->sequence);
    square_join(&x->all, x->hb, synchronizes(x));
    square_close(&x->all, x->sequence);
    square_close(&x->all, x->hb);
}

static void fill_eco(struct execution *x)
{
    x->eco = square_copy(&x->all, x->rf);
    square_join(&x->all, x->eco, x->co);
    square_join(&x->all, x->eco, x->fr);
    square_close(&x->all, x->eco);
}

/* ---- Axioms ---- */

static struct square at_one_location(struct execution *x, struct square r)
{
    struct square out = square_new(&x->all);

    for (size_t i = 0; i < x->all.count; i++) {
        for (size_t j = 0; j < x->all.count; j++) {
            if (square_has(&x->all, r, i, j) &&
                same_location(&x->nodes[i], &x->nodes[j]))
                square_put(&x->all, out, i, j);
        }
    }
    return out;
}

/* po between different operations: an RMW is one. */
static struct square between_operations(struct execution *x)
{
    struct square r = square_copy(&x->all, x->po);

    for (size_t i = 0; i < x->all.count; i++) {
        if (x->nodes[i].mate > (int)i)
            square_row(&x->all, r, i)[x->nodes[i].mate / 64] &=
                ~(1ull << x->nodes[i].mate % 64);
    }
    return r;
}

static struct square scb(struct execution *x)
{
    struct square r = square_copy(&x->all, x->po), po = between_operations(x);

    square_join(
        &x->all, r,
        square_compose(&x->all, square_compose(&x->all, po, x->hb), po));
    square_join(&x->all, r, at_one_location(x, x->hb));
    square_join(&x->all, r, x->co);
    square_join(&x->all, r, x->fr);
    return r;
}

/* psc = ([sc] | [F sc];hb?);scb;([sc] | hb?;[F sc])
 *       | [F sc];(hb | hb;eco;hb);[F sc] */
static struct square psc(struct execution *x)
{
    struct square same = square_new(&x->all), from, to, base, fences;

    add_identity(x, same);
    from = between(x, same, is_seq_cst, NULL);
    square_join(&x->all, from,
                between(x, or_not(x, x->hb), is_seq_cst_fence, NULL));
    to = between(x, same, NULL, is_seq_cst);
    square_join(&x->all, to,
                between(x, or_not(x, x->hb), NULL, is_seq_cst_fence));
    base = square_compose(&x->all, square_compose(&x->all, from, scb(x)), to);
    fences =
        square_compose(&x->all, square_compose(&x->all, x->hb, x->eco), x->hb);
    square_join(&x->all, fences, x->hb);
    square_join(&x->all, base,
                between(x, fences, is_seq_cst_fence, is_seq_cst_fence));
    return base;
}

static bool is_atomic(struct execution *x)
{
    struct square cut = square_compose(&x->all, x->fr, x->co);

    for (size_t i = 0; i < x->all.count; i++) {
        for (size_t j = 0; j < x->all.count; j++) {
            if (square_has(&x->all, x->rmw, i, j) &&
                square_has(&x->all, cut, i, j))
                return false;
        }
    }
    return true;
}

static bool judge(struct execution *x, struct err *e)
{
    struct square porf = square_copy(&x->all, x->po);

    square_join(&x->all, porf, x->rf);
    if (square_has_cycle(&x->all, porf))
        return err_set(e, "a value comes out of thin air");
    if (square_is_reflexive(&x->all, x->hb) ||
        square_is_reflexive(&x->all, square_compose(&x->all, x->hb, x->eco)))
        return err_set(e, "it is not coherent");
    if (!is_atomic(x))
        return err_set(e, "an RMW is not atomic");
    if (square_has_cycle(&x->all, psc(x)))
        return err_set(e, "seq_cst operations have no order");
    return true;
}

/* ---- The door ---- */

static bool are_in_order(const struct trace *t)
{
    uint32_t next[EVENT_THREADS_MAX] = {0};

    for (size_t i = 0; i < t->event_count; i++) {
        if (t->events[i].index != next[t->events[i].thread]++)
            return false;
    }
    return true;
}

bool c11_begin(struct execution *x, const struct trace *t, struct err *e)
{
    *x = (struct execution){.t = t, .all.arena = ARENA_INIT};
    if (2 * t->event_count > NODES_MAX || !are_in_order(t))
        return err_set(e, "it is too long, or out of order");
    x->nodes =
        arena_array(&x->all.arena, 2 * t->event_count + 1, sizeof(*x->nodes));
    x->read_of = arena_array(&x->all.arena, t->event_count + 1, sizeof(int));
    x->write_of = arena_array(&x->all.arena, t->event_count + 1, sizeof(int));
    x->node_of = arena_array(&x->all.arena, t->event_count + 1, sizeof(int));
    for (size_t i = 0; i < t->event_count; i++)
        add_event(x, i);
    squares_begin(&x->all);
    x->po = square_new(&x->all);
    x->rf = square_new(&x->all);
    x->co = square_new(&x->all);
    x->fr = square_new(&x->all);
    x->rmw = square_new(&x->all);
    fill_po(x);
    if (!fill_rf(x, e) || !fill_co(x, e))
        return false;
    fill_fr(x);
    fill_rmw(x);
    fill_hb(x);
    fill_eco(x);
    return true;
}

bool c11_holds(const struct trace *t, struct err *e)
{
    struct execution x;
    bool ok = c11_begin(&x, t, e) && judge(&x, e);

    arena_free(&x.all.arena);
    return ok;
}

/* To free memory is to write all of it.  A round in vain that wrote what it
 * found is an AWAIT in the trace. */
static bool changes(const struct event *e)
{
    return writes(e) || e->kind == EV_AWAIT || e->kind == EV_FREE;
}

static bool touch_the_same(const struct execution *x, size_t a, size_t b)
{
    const struct event *e = &x->t->events[a], *f = &x->t->events[b];

    if (e->kind == EV_FREE || f->kind == EV_FREE)
        return e->object && e->object == f->object &&
               (is_access(e) || e->kind == EV_FREE) &&
               (is_access(f) || f->kind == EV_FREE);
    return same_location(&x->nodes[x->node_of[a]], &x->nodes[x->node_of[b]]);
}

static bool is_atomic_access(const struct event *e)
{
    return is_access(e) && order_is_atomic(e->flags & EVF_ORDER);
}

static bool are_unordered(const struct execution *x, size_t a, size_t b)
{
    size_t m = (size_t)x->node_of[a], n = (size_t)x->node_of[b];

    return x->nodes[m].thread != x->nodes[n].thread &&
           !square_has(&x->all, x->hb, m, n) &&
           !square_has(&x->all, x->hb, n, m);
}

static bool do_race(const struct execution *x, size_t a, size_t b)
{
    const struct event *e = &x->t->events[a], *f = &x->t->events[b];

    return touch_the_same(x, a, b) && are_unordered(x, a, b) &&
           (changes(e) || changes(f)) &&
           !(is_atomic_access(e) && is_atomic_access(f));
}

bool c11_races(const struct trace *t, size_t a, size_t b)
{
    struct execution x;
    struct err e;
    bool ok = c11_begin(&x, t, &e) && a < t->event_count &&
              b < t->event_count && do_race(&x, a, b);

    arena_free(&x.all.arena);
    return ok;
}

bool c11_is_racy(const struct trace *t)
{
    struct execution x;
    struct err e;
    bool racy = false, ok = c11_begin(&x, t, &e);

    for (size_t a = 0; ok && !racy && a < t->event_count; a++)
        for (size_t b = a + 1; !racy && b < t->event_count; b++)
            racy = do_race(&x, a, b);
    arena_free(&x.all.arena);
    return racy;
}
