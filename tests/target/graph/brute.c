/* SPDX-License-Identifier: MIT
 *
 * As brute.h says: every candidate, and models of order.
 */
#include "brute.h"

#include <stdlib.h>
#include <string.h>

#include "brute_inside.h"
#include "model/model.h"

#define STATES_MAX 400000
struct brute {
    const struct mini *p;
    struct behaviour *b;
    struct canon_set seen, *sets;
    unsigned states;
    bool too_many;
};

/* ---- The text of a graph ---- */

static unsigned name_of(const struct candidate *c, int e)
{
    return e < 0 ? 0 : 1 + c->events[e].thread * 32 + c->events[e].index;
}

static void put_event(struct canon *to, const struct candidate *c, int e)
{
    canon_put(to, name_of(c, e));
    canon_put(to, c->events[e].kind);
    if (reads(&c->events[e]))
        canon_put(to, name_of(c, c->events[e].rf));
}

static void canonical(const struct brute *x, const struct candidate *c,
                      struct canon *to)
{
    to->count = 0;
    for (unsigned t = 0; t < x->p->threads; t++) {
        for (int e = 0; e < c->count; e++) {
            if (c->events[e].thread == t)
                put_event(to, c, e);
        }
    }
    for (unsigned l = 0; l < x->p->locations; l++) {
        canon_put(to, 255);
        for (int i = 0; i < c->co_count[l]; i++)
            canon_put(to, name_of(c, c->co[l][i]));
    }
}

/* ---- Models of order: a total order <M, found by trying ---- */

struct total {
    const struct candidate *c;
    const struct model *m;
    enum brute_model model;
    uint32_t all, before[N];
    bool seen[1u << N];
};

/* Nodes are named by their first event: a WX belongs to its RX. */
static int node_of(const struct candidate *c, int e)
{
    return c->events[e].kind == WX ? c->events[e].mate : e;
}

static struct model_recipe recipe_of(const struct total *t, int e)
{
    const struct event_ *x = &t->c->events[e];
    enum event_kind kind = x->kind == R                   ? EV_LOAD
                           : x->kind == W                 ? EV_STORE
                           : x->kind == RX && x->mate < 0 ? EV_CAS_FAIL
                                                          : EV_RMW;

    if (x->kind >= F)
        return (struct model_recipe){(uint8_t)x->fence, 0};
    if (kind == EV_CAS_FAIL && x->full)
        return (struct model_recipe){FENCE_FULL, FENCE_FULL};
    return t->m->recipe[model_construct_of(kind, x->order)];
}

/* Fences between two nodes of a thread. */
static unsigned fences_between(const struct total *t, int x, int y)
{
    unsigned all = recipe_of(t, x).after | recipe_of(t, y).before;

    for (int e = 0; e < t->c->count; e++) {
        if (po(t->c, x, e) && po(t->c, e, y) && node_of(t->c, e) == e && e != x)
            all |= recipe_of(t, e).before | recipe_of(t, e).after;
    }
    return all;
}

/* The table of docs/models.md, row by row. */
static bool is_preserved(const struct total *t, int x, int y)
{
    const struct event_ *a = &t->c->events[x], *b = &t->c->events[y];
    bool loads = reads(a), stores = writes(a) || a->mate >= 0;
    bool to_load = reads(b), to_store = writes(b) || b->mate >= 0;
    bool same = same_location(t->c, x, y);
    unsigned between = fences_between(t, x, y);

    if (t->model == BRUTE_SC || between & FENCE_FULL || a->kind == JOIN ||
        b->kind == CREATE)
        return true;
    if (b->kind == JOIN) /* its own stores may still wait */
        return loads || a->kind == CREATE;
    if (a->kind == CREATE)
        return t->model != BRUTE_PSLO || to_store || b->is_rmw ||
               between & FENCE_LL;
    if (t->model == BRUTE_TSO)
        return loads || (stores && (to_store || b->is_rmw)) ||
               (stores && between & FENCE_SL);
    if (t->model == BRUTE_PSO && loads)
        return true;
    return (loads && (to_store || b->is_rmw)) ||
           (loads && to_load && (same || between & FENCE_LL)) ||
           (stores && to_store && (same || between & FENCE_SS)) ||
           (stores && to_load && between & FENCE_SL) ||
           (stores && same && b->is_rmw);
}

static bool must_precede(const struct total *t, int x, int y)
{
    const struct event_ *a = &t->c->events[x], *b = &t->c->events[y];

    if (po(t->c, x, y))
        return is_preserved(t, x, y);
    return (b->kind == JOIN && a->thread == b->other) ||
           (a->kind == CREATE && b->thread == a->other);
}

/* What a load finds when it comes next: its own last store that has not come
 * yet, else the last that has. */
static int found(const struct total *t, uint32_t done, int e)
{
    const struct candidate *c = t->c;
    unsigned l = c->events[e].location;
    int last = -1, own = -1;

    for (int i = 0; i < c->co_count[l]; i++) {
        int w = c->co[l][i];

        if (done >> node_of(c, w) & 1)
            last = w;
        else if (po(c, w, e))
            own = w;
    }
    return own >= 0 ? own : last;
}

static bool can_come(const struct total *t, uint32_t done, int e)
{
    const struct event_ *x = &t->c->events[e];
    int w = x->kind == W ? e : x->kind == RX ? x->mate : -1;

    if (t->before[e] & ~done)
        return false;
    if (reads(x) && x->rf != found(t, done, e))
        return false;
    for (int i = 0; w >= 0 && i < co_place(t->c, w); i++) {
        if (!(done >> node_of(t->c, t->c->co[x->location][i]) & 1))
            return false;
    }
    return true;
}

static bool place_rest(struct total *t, uint32_t done)
{
    if (done == t->all)
        return true;
    if (t->seen[done])
        return false;
    t->seen[done] = true;
    for (int e = 0; e < t->c->count; e++) {
        if (t->all >> e & 1 && !(done >> e & 1) && can_come(t, done, e) &&
            place_rest(t, done | 1u << e))
            return true;
    }
    return false;
}

static bool has_total_order(const struct candidate *c, enum brute_model model)
{
    static const struct model *const models[] = {&model_sc, &model_tso,
                                                 &model_pso, &model_pslo};
    static struct total t;

    t = (struct total){.c = c, .m = models[model], .model = model};
    for (int e = 0; e < c->count; e++) {
        if (c->events[e].kind != F && c->events[e].kind != WX)
            t.all |= 1u << e;
    }
    for (int y = 0; y < c->count; y++) {
        for (int x = 0; x < c->count; x++) {
            if (x != y && t.all >> x & 1 && must_precede(&t, x, y))
                t.before[y] |= 1u << x;
        }
    }
    return place_rest(&t, 0);
}

/* ---- Every candidate ---- */

static void judge(struct brute *x, const struct candidate *c)
{
    struct canon text;
    bool of_c11 = brute_is_c11(c, &x->sets[BRUTE_RACES]);

    if (!is_atomic(c))
        return;
    canonical(x, c, &text);
    for (enum brute_model m = BRUTE_SC; m <= BRUTE_PSLO; m++) {
        if (has_total_order(c, m))
            canon_add(&x->sets[m], &text);
    }
    if (of_c11)
        canon_add(&x->sets[BRUTE_C11], &text);
}

static int push(struct brute *x, struct candidate *c, unsigned thread,
                enum kind kind, const struct op *op)
{
    int e = c->count;

    if (e == N) {
        x->too_many = true;
        return e - 1;
    }
    c->events[e] =
        (struct event_){.kind = kind,
                        .thread = thread,
                        .index = c->length[thread]++,
                        .location = op->location,
                        .other = op->thread,
                        .fence = op->fence,
                        .site = op->site,
                        .order = op->order,
                        .is_rmw = op->kind == OP_RMW || op->kind == OP_CAS,
                        .rf = -1,
                        .mate = -1};
    c->count++;
    return e;
}

static void put_write(struct candidate *c, int w, int place)
{
    unsigned l = c->events[w].location;

    memmove(&c->co[l][place + 1], &c->co[l][place],
            (size_t)(c->co_count[l] - place) * sizeof(int));
    c->co[l][place] = w;
    c->co_count[l]++;
}

static void extend(struct brute *x, const struct candidate *c);

static void step(struct brute *x, struct candidate *c, unsigned t,
                 uint64_t value)
{
    c->at[t] = behaviour_step(x->b, c->at[t], value);
}

static void try_write(struct brute *x, const struct candidate *c, unsigned t,
                      const struct op *op)
{
    for (int place = 0; place <= c->co_count[op->location]; place++) {
        struct candidate d = *c;
        int w = push(x, &d, t, W, op);

        d.events[w].value = op->operand;
        put_write(&d, w, place);
        step(x, &d, t, 0);
        extend(x, &d);
    }
}

static void try_rmw(struct brute *x, const struct candidate *c, unsigned t,
                    const struct op *op, int read, uint64_t stored)
{
    for (int place = 0; place <= c->co_count[op->location]; place++) {
        struct candidate d = *c;
        int w = push(x, &d, t, WX, op);

        d.events[w].value = stored;
        d.events[w].mate = read;
        d.events[read].mate = w;
        put_write(&d, w, place);
        step(x, &d, t, d.events[read].value);
        extend(x, &d);
    }
}

static bool op_writes(const struct op *op, uint64_t old, uint64_t *stored)
{
    *stored = op->kind == OP_RMW && op->rmw == RMW_ADD ? old + op->operand
                                                       : op->operand;
    return op->kind == OP_RMW || old == op->expected;
}

static void try_read(struct brute *x, const struct candidate *c, unsigned t,
                     const struct op *op)
{
    for (int i = -1; i < c->co_count[op->location]; i++) {
        struct candidate d = *c;
        int from = i < 0 ? -1 : c->co[op->location][i];
        uint64_t value = from < 0 ? x->p->initial[op->location]
                                  : c->events[from].value,
                 stored;
        int read = push(x, &d, t, op->kind == OP_LOAD ? R : RX, op);

        d.events[read].rf = from;
        d.events[read].value = value;
        if (op->kind != OP_LOAD && op_writes(op, value, &stored)) {
            try_rmw(x, &d, t, op, read, stored);
            continue;
        }
        if (op->kind == OP_CAS) {
            d.events[read].order = op->failure_order;
            d.events[read].full = op->order == ORDER_SEQ_CST;
        }
        step(x, &d, t, value);
        extend(x, &d);
    }
}

static void try_other(struct brute *x, const struct candidate *c, unsigned t,
                      const struct op *op)
{
    struct candidate d = *c;

    push(x, &d, t,
         op->kind == OP_FENCE    ? F
         : op->kind == OP_CREATE ? CREATE
                                 : JOIN,
         op);
    if (op->kind == OP_CREATE)
        d.created[op->thread] = true;
    step(x, &d, t, 0);
    extend(x, &d);
}

static bool is_enabled(const struct brute *x, const struct candidate *c,
                       unsigned t)
{
    const struct op *op = behaviour_op(x->b, c->at[t]);

    if (!c->created[t] || op->kind >= OP_END)
        return false;
    return op->kind != OP_JOIN ||
           (c->created[op->thread] &&
            behaviour_op(x->b, c->at[op->thread])->kind == OP_END);
}

static void extend(struct brute *x, const struct candidate *c)
{
    struct canon text;
    bool ended = true;

    canonical(x, c, &text);
    if (x->too_many || !canon_add(&x->seen, &text))
        return;
    x->too_many = ++x->states > STATES_MAX;
    for (unsigned t = 0; t < x->p->threads; t++) {
        const struct op *op = behaviour_op(x->b, c->at[t]);

        if (!is_enabled(x, c, t))
            continue;
        ended = false;
        if (op->kind == OP_STORE)
            try_write(x, c, t, op);
        else if (op->kind <= OP_CAS)
            try_read(x, c, t, op);
        else
            try_other(x, c, t, op);
    }
    if (ended)
        judge(x, c);
}

bool brute_force(const struct mini *p, struct behaviour *b,
                 struct canon_set sets[BRUTE_SETS])
{
    struct brute x = {.p = p, .b = b, .sets = sets};
    struct candidate c = {0};

    for (unsigned t = 0; t < p->threads; t++) {
        c.created[t] = t < p->started;
        c.at[t] = behaviour_root(b, t);
    }
    extend(&x, &c);
    canon_free(&x.seen);
    return !x.too_many;
}
