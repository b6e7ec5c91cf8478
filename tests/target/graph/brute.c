/* SPDX-License-Identifier: MIT
 *
 * As brute.h says: every candidate, and models of order.
 */
#include "brute_inside.h"

#include <stdlib.h>
#include <string.h>

#include "model/model.h"

#define STATES_MAX 400000

struct brute {
    const struct mini *p;
    struct behaviour *b;
    struct canon_set seen, *sets;
    unsigned states, candidates;
    bool too_many;
};

/* ---- The text of a graph ---- */

/* Of the event's part at that location; each has a name. */
static unsigned name_of(const struct candidate *c, int e, unsigned location)
{
    const struct event_ *x = &c->events[e];

    if (e < 0)
        return 0;
    return 1 + x->thread * 32 + x->index +
           (x->kind <= WX ? (unsigned)part_at(x, location) : 0);
}

static void put_event(struct canon *to, const struct candidate *c, int e)
{
    const struct event_ *x = &c->events[e];

    for (unsigned i = 0; i < x->parts; i++) {
        canon_put(to, name_of(c, e, x->at[i]));
        canon_put(to, x->kind);
        if (reads(x))
            canon_put(to, name_of(c, x->rf[i], x->at[i]));
    }
}

void brute_text(const struct mini *p, const struct candidate *c,
                struct canon *to)
{
    to->count = 0;
    for (unsigned t = 0; t < p->threads; t++) {
        for (int e = 0; e < c->count; e++) {
            if (c->events[e].thread == t)
                put_event(to, c, e);
        }
    }
    for (unsigned l = 0; l < p->locations; l++) {
        canon_put(to, 255);
        for (int i = 0; i < c->co_count[l]; i++)
            canon_put(to, name_of(c, c->co[l][i], l));
    }
}

/* ---- Models of order: a total order <M, found by trying ---- */

struct total {
    const struct candidate *c;
    const struct behaviour *b;
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
    struct model_recipe r;
    enum event_kind kind = x->kind == R                   ? EV_LOAD
                           : x->kind == W                 ? EV_STORE
                           : x->kind == RX && x->mate < 0 ? EV_CAS_FAIL
                                                          : EV_RMW;

    if (x->kind >= F)
        return (struct model_recipe){(uint8_t)x->fence, 0};
    if (kind == EV_CAS_FAIL && x->full)
        return (struct model_recipe){FENCE_FULL, FENCE_FULL};
    r = t->m->recipe[model_construct_of(kind, x->order)];
    r.before |= x->fence;
    return r;
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

/* Does the RMW x write what y touches? */
static bool wrote_same(const struct candidate *c, int x, int y)
{
    int mate = c->events[x].mate;

    return mate >= 0 && same_location(c, mate, y);
}

static bool is_pslo(const struct total *t)
{
    return t->model == BRUTE_PSLO || t->model == BRUTE_PSLO_DEPS;
}

/* Does y's address depend on what x reads? */
static bool is_address_of(const struct total *t, int x, int y)
{
    const struct event_ *a = &t->c->events[x], *b = &t->c->events[y];

    return t->model == BRUTE_PSLO_DEPS && reads(a) && b->op->depends &&
           depends_has(
               &depends_get(&t->b->depends, b->op->depends)->sets[DEPENDS_ADDR],
               a->place);
}

/* The table of docs/models.md, row by row. */
static bool is_preserved(const struct total *t, int x, int y)
{
    const struct event_ *a = &t->c->events[x], *b = &t->c->events[y];
    bool loads = reads(a), stores = writes(a) || a->mate >= 0;
    bool to_load = reads(b), to_store = writes(b) || b->mate >= 0 || b->block;
    bool same = same_location(t->c, x, y);
    unsigned between = fences_between(t, x, y);

    if (t->model == BRUTE_SC || between & FENCE_FULL || a->kind == JOIN ||
        b->kind == CREATE || a->everybody)
        return true;
    if (b->kind == JOIN) /* its own stores may still wait */
        return loads || a->kind == CREATE;
    if (a->kind == CREATE)
        return !is_pslo(t) || to_store || b->is_rmw || between & FENCE_LL;
    if (t->model == BRUTE_TSO)
        return loads || (stores && (to_store || b->is_rmw)) ||
               (stores && between & FENCE_SL);
    if (t->model == BRUTE_PSO && loads)
        return true;
    return (loads && (to_store || b->is_rmw)) ||
           (loads && to_load && between & FENCE_LL) ||
           (to_load && is_address_of(t, x, y)) ||
           (to_load && t->model == BRUTE_PSLO && wrote_same(t->c, x, y)) ||
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
static int found(const struct total *t, uint32_t done, int e, unsigned l)
{
    const struct candidate *c = t->c;
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

static bool can_come_at(const struct total *t, uint32_t done, int e, unsigned i)
{
    const struct event_ *x = &t->c->events[e];
    int w = x->kind == W ? e : x->kind == RX ? x->mate : -1;
    unsigned l = x->at[i];

    if (reads(x) && x->rf[i] != found(t, done, e, l))
        return false;
    for (int k = 0; w >= 0 && k < co_place_at(t->c, w, l); k++) {
        if (!(done >> node_of(t->c, t->c->co[l][k]) & 1))
            return false;
    }
    return true;
}

/* With dependencies: it reads a store that its thread did after x, and nothing
 * from memory. */
static bool is_forwarded(const struct total *t, int x, int e)
{
    const struct event_ *a = &t->c->events[e];

    return t->model == BRUTE_PSLO_DEPS && a->parts == 1 && a->rf[0] >= 0 &&
           po(t->c, a->rf[0], e) && po(t->c, x, a->rf[0]);
}

/* Does the load take that location from its thread's buffer, where a store has
 * come into it after x?  An RMW's is never there. */
static bool is_from_buffer(const struct total *t, uint32_t done, int x,
                           int load, unsigned l)
{
    const struct candidate *c = t->c;
    int w = found(t, done, load, l);

    return w >= 0 && !(done >> node_of(c, w) & 1) && c->events[w].kind == W &&
           po(c, x, w);
}

/* PSLO: a load looks back to a moment that is, for each part that it takes from
 * memory, not before what its thread has returned from there: that must have
 * come. */
static bool is_fresh(const struct total *t, uint32_t done, int e)
{
    const struct candidate *c = t->c;

    for (int x = 0; x < c->count; x++) {
        const struct event_ *a = &c->events[x];

        for (unsigned i = 0; reads(a) && po(c, x, e) && i < a->parts; i++) {
            if (touches(&c->events[e], a->at[i]) && a->rf[i] >= 0 &&
                c->events[a->rf[i]].thread != a->thread &&
                !is_forwarded(t, x, e) &&
                !(c->events[e].parts > 1 &&
                  is_from_buffer(t, done, x, e, a->at[i])) &&
                !(done >> node_of(c, a->rf[i]) & 1))
                return false;
        }
    }
    return true;
}

/* Does the load take some part from that store of its thread, as long as this
 * has not come? */
static bool is_newest_own(const struct candidate *c, int store, int load)
{
    for (unsigned i = 0; i < c->events[load].parts; i++) {
        unsigned l = c->events[load].at[i];
        int own = -1;

        for (int k = 0; k < c->co_count[l]; k++) {
            if (po(c, c->co[l][k], load))
                own = c->co[l][k];
        }
        if (own == store)
            return true;
    }
    return false;
}

/* PSLO: a load that looked back to before a store of its own thread which it
 * takes a part from has found that in the buffer, when its turn came: after all
 * that its thread had done by then. */
static bool was_buffered(const struct total *t, uint32_t done, int store)
{
    const struct candidate *c = t->c;

    for (int load = 0; load < c->count; load++) {
        if (!(done >> load & 1) || c->events[load].kind != R ||
            !po(c, store, load) || !is_newest_own(c, store, load))
            continue;
        for (int x = 0; x < c->count; x++) {
            if (t->all >> x & 1 && !(done >> x & 1) && po(c, x, load) &&
                c->events[x].kind != W)
                return false;
        }
    }
    return true;
}

/* A fence of every thread: each has done all that it has begun. */
static bool have_all_drained(const struct total *t, uint32_t done)
{
    for (int x = 0; x < t->c->count; x++) {
        for (int y = 0; t->all >> x & 1 && !(done >> x & 1) && y < t->c->count;
             y++) {
            if (done >> y & 1 && po(t->c, x, y))
                return false;
        }
    }
    return true;
}

static bool can_come(const struct total *t, uint32_t done, int e)
{
    const struct event_ *x = &t->c->events[e];

    if (t->before[e] & ~done)
        return false;
    if (x->everybody)
        return have_all_drained(t, done);
    for (unsigned i = 0; i < x->parts; i++) {
        if (!can_come_at(t, done, e, i))
            return false;
    }
    if (!is_pslo(t))
        return true;
    if (reads(x) && !is_fresh(t, done, e))
        return false;
    return x->kind != W || was_buffered(t, done, e);
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

static struct total *open_total(const struct candidate *c,
                                const struct behaviour *b,
                                enum brute_model model)
{
    static const struct model *const models[] = {
        &model_sc, &model_tso, &model_pso, &model_pslo, &model_pslo};
    static struct total t;

    t = (struct total){.c = c, .b = b, .m = models[model], .model = model};
    for (int e = 0; e < c->count; e++) {
        if ((c->events[e].kind != F || c->events[e].everybody) &&
            c->events[e].kind != WX)
            t.all |= 1u << e;
    }
    for (int y = 0; y < c->count; y++) {
        for (int x = 0; x < c->count; x++) {
            if (x != y && t.all >> x & 1 && must_precede(&t, x, y))
                t.before[y] |= 1u << x;
        }
    }
    return &t;
}

static bool has_total_order(const struct candidate *c,
                            const struct behaviour *b, enum brute_model model)
{
    return place_rest(open_total(c, b, model), 0);
}

/* ---- Races on SC: who may come directly after whom ---- */

static bool is_plain(const struct event_ *e)
{
    return (e->kind == R || e->kind == W) && e->order == ORDER_PLAIN;
}

/* What a block reads it need not write. */
static bool changes(const struct candidate *c, const struct event_ *e,
                    unsigned location)
{
    return writes(e) || (e->mate >= 0 &&
                         (!e->block || touches(&c->events[e->mate], location)));
}

static bool conflict(const struct candidate *c, int x, int y)
{
    const struct event_ *a = &c->events[x], *b = &c->events[y];

    if (a->thread == b->thread || !same_location(c, x, y) ||
        (!is_plain(a) && !is_plain(b)))
        return false;
    for (unsigned i = 0; i < a->parts; i++)
        if (touches(b, a->at[i]) &&
            (changes(c, a, a->at[i]) || changes(c, b, a->at[i])))
            return true;
    return false;
}

static void put_next_ones(struct total *t, uint32_t done, int x,
                          struct canon_set *to)
{
    for (int y = 0; y < t->c->count; y++) {
        if (t->all >> y & 1 && !(done >> y & 1) && conflict(t->c, x, y) &&
            can_come(t, done, y))
            brute_put_race(to, t->c->events[x].site, t->c->events[y].site);
    }
}

/* The candidate is one of SC's, so whatever has come the rest can come. */
static void put_races_on_sc(struct total *t, uint32_t done,
                            struct canon_set *to)
{
    if (t->seen[done])
        return;
    t->seen[done] = true;
    for (int x = 0; x < t->c->count; x++) {
        if (!(t->all >> x & 1) || done >> x & 1 || !can_come(t, done, x))
            continue;
        put_next_ones(t, done | 1u << x, x, to);
        put_races_on_sc(t, done | 1u << x, to);
    }
}

/* ---- Every candidate ---- */

static void judge(struct brute *x, const struct candidate *c)
{
    struct canon text;
    bool of_c11 = !x->p->bundles && !x->p->everybody &&
                  brute_is_c11(c, &x->sets[BRUTE_RACES]);

    if (brute_tells_processor && x->p->bundles && !x->p->blocks &&
        ++x->candidates % 32 == 0 && brute_pieces(c) <= PIECES)
        brute_tell_parts(c);
    if (!is_atomic(c))
        return;
    x->too_many = x->too_many || brute_pieces(c) > PIECES;
    if (x->too_many)
        return;
    brute_text(x->p, c, &text);
    for (enum brute_model m = BRUTE_SC; m <= BRUTE_PSLO_DEPS; m++) {
        if (!has_total_order(c, x->b, m))
            continue;
        canon_add(&x->sets[m], &text);
        if (m != BRUTE_SC)
            continue;
        put_races_on_sc(open_total(c, x->b, m), 0, &x->sets[BRUTE_SC_RACES]);
        if (of_c11 && brute_has_race(c))
            canon_add(&x->sets[BRUTE_UNORDERED], &text);
    }
    if (of_c11)
        canon_add(&x->sets[BRUTE_C11], &text);
    for (enum brute_model m = BRUTE_ARM;
         m < (x->p->everybody || x->p->bundles ? BRUTE_POWER : BRUTE_MODELS) &&
         x->p->processors && !x->p->blocks;
         m++) {
        if (brute_is_of_processor(c, x->b, m))
            canon_add(&x->sets[m], &text);
    }
}

static unsigned depth_of(const struct behaviour *b, behaviour_node node)
{
    unsigned depth = 0;

    while ((node = behaviour_parent(b, node)).ix)
        depth++;
    return depth;
}

int brute_push(struct behaviour *b, struct candidate *c, unsigned thread,
               enum kind kind, const struct op *op)
{
    int e = c->count;

    c->events[e] =
        (struct event_){.kind = kind,
                        .thread = thread,
                        .index = c->length[thread],
                        .location = op->location,
                        .parts = op_parts(op),
                        .other = op->thread,
                        .fence = op->fence,
                        .everybody = op->kind == OP_FENCE && op->everybody,
                        .site = op->site,
                        .place = depth_of(b, c->at[thread]),
                        .op = op,
                        .order = op->order,
                        .is_rmw = op->kind == OP_RMW || op->kind == OP_CAS ||
                                  op->kind == OP_ATOMIC,
                        .block = op->kind == OP_ATOMIC,
                        .rf = {-1},
                        .mate = -1};
    for (unsigned i = 0; i < op_parts(op); i++)
        c->events[e].at[i] = op->location + i;
    c->length[thread] += op_parts(op);
    c->count++;
    return e;
}

static int push(struct brute *x, struct candidate *c, unsigned thread,
                enum kind kind, const struct op *op)
{
    if (c->count < N)
        return brute_push(x->b, c, thread, kind, op);
    x->too_many = true;
    return N - 1;
}

static void put_write(struct candidate *c, int w, unsigned l, int place)
{
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

/* A write half, or a store, which has its event: part i and those after it in
 * every place. */
static void try_places(struct brute *x, const struct candidate *c, int w,
                       unsigned i, uint64_t returned)
{
    const struct event_ *e = &c->events[w];
    unsigned l = e->at[i];

    if (i == e->parts) {
        struct candidate d = *c;

        step(x, &d, e->thread, returned);
        extend(x, &d);
        return;
    }
    for (int place = 0; place <= c->co_count[l]; place++) {
        struct candidate d = *c;

        put_write(&d, w, l, place);
        try_places(x, &d, w, i + 1, returned);
    }
}

/* The same for what a block wrote: its thread has gone on already. */
static void try_block_places(struct brute *x, const struct candidate *c, int w,
                             unsigned i)
{
    const struct event_ *e = &c->events[w];

    if (i == e->parts) {
        extend(x, c);
        return;
    }
    for (int place = 0; place <= c->co_count[e->at[i]]; place++) {
        struct candidate d = *c;

        put_write(&d, w, e->at[i], place);
        try_block_places(x, &d, w, i + 1);
    }
}

static void try_write(struct brute *x, const struct candidate *c, unsigned t,
                      const struct op *op)
{
    struct candidate d = *c;
    int w = push(x, &d, t, W, op);

    mini_split(x->b, op, op->operand, d.events[w].value);
    try_places(x, &d, w, 0, 0);
}

static void try_rmw(struct brute *x, const struct candidate *c, unsigned t,
                    const struct op *op, int read, uint64_t old,
                    uint64_t stored)
{
    struct candidate d = *c;
    int w = push(x, &d, t, WX, op);

    mini_split(x->b, op, stored, d.events[w].value);
    d.events[w].mate = read;
    d.events[read].mate = w;
    try_places(x, &d, w, 0, old);
}

/* The whole of a value, from its parts. */
static uint64_t whole(struct brute *x, const struct op *op,
                      const uint64_t *parts)
{
    if (!op->cuts)
        return parts[0];
    if (op->size == 16)
        return behaviour_number(x->b, parts);
    return parts[0] | parts[1] << 8 | (op->size > 2 ? parts[2] << 16 : 0);
}

static uint64_t sum(struct brute *x, const struct op *op, uint64_t a,
                    uint64_t b)
{
    uint64_t words[2] = {0, 0}, p[MINI_PARTS], q[MINI_PARTS];

    if (op->size < 8)
        return (a + b) & ((1ull << 8 * op->size) - 1);
    if (op->size == 8)
        return a + b;
    mini_split(x->b, op, a, p);
    mini_split(x->b, op, b, q);
    words[0] = p[0] + q[0];
    words[1] = p[1] + q[1] + (words[0] < p[0]);
    return behaviour_number(x->b, words);
}

static bool op_writes(struct brute *x, const struct op *op, uint64_t old,
                      uint64_t *stored)
{
    *stored = op->kind == OP_RMW && op->rmw == RMW_ADD
                  ? sum(x, op, old, op->operand)
                  : op->operand;
    return op->kind == OP_RMW || old == op->expected;
}

/* The read, which has its event and all its sources. */
static void end_read(struct brute *x, struct candidate *d, unsigned t,
                     const struct op *op, int read)
{
    uint64_t value = whole(x, op, d->events[read].value), stored;

    if (op->kind != OP_LOAD && op_writes(x, op, value, &stored)) {
        try_rmw(x, d, t, op, read, value, stored);
        return;
    }
    if (op->kind == OP_CAS) {
        d->events[read].order = op->failure_order;
        d->events[read].full = op->order == ORDER_SEQ_CST;
    }
    step(x, d, t, value);
    extend(x, d);
}

/* Every source of its parts from i on. */
static void try_sources(struct brute *x, const struct candidate *c, unsigned t,
                        const struct op *op, int read, unsigned i)
{
    unsigned l = c->events[read].at[i];

    for (int k = -1; k < c->co_count[l]; k++) {
        struct candidate d = *c;
        int from = k < 0 ? -1 : c->co[l][k];

        d.events[read].rf[i] = from;
        d.events[read].value[i] =
            from < 0 ? x->p->initial[l]
                     : c->events[from].value[part_at(&c->events[from], l)];
        if (i + 1 < op_parts(op))
            try_sources(x, &d, t, op, read, i + 1);
        else
            end_read(x, &d, t, op, read);
    }
}

static void try_read(struct brute *x, const struct candidate *c, unsigned t,
                     const struct op *op)
{
    struct candidate d = *c;
    int read = push(x, &d, t, op->kind == OP_LOAD ? R : RX, op);

    try_sources(x, &d, t, op, read, 0);
}

/* ---- Atomic blocks ---- */

/* All that it touches has a source; the thread is beyond its reads. */
static void end_block(struct brute *x, const struct candidate *c, unsigned t,
                      int read)
{
    struct candidate d = *c;
    const struct op *op = behaviour_op(x->b, d.at[t]);
    struct event_ *w;

    d.length[t] += d.events[read].parts - 1;
    if (op->kind != OP_PUT) {
        extend(x, &d);
        return;
    }
    w = &d.events[push(x, &d, t, WX, op)];
    w->parts = 0;
    w->mate = read;
    d.events[read].mate = (int)(w - d.events);
    for (; op->kind == OP_PUT; op = behaviour_op(x->b, d.at[t])) {
        w->at[w->parts] = op->location;
        w->value[w->parts++] = op->operand;
        step(x, &d, t, 0);
    }
    w->location = w->at[0];
    d.length[t] += w->parts - 1;
    try_block_places(x, &d, (int)(w - d.events), 0);
}

/* Every source of the part that comes next. */
static void unfold_block(struct brute *x, const struct candidate *c, unsigned t,
                         int read)
{
    const struct op *op = behaviour_op(x->b, c->at[t]);
    unsigned i = c->events[read].parts, l = op->location;

    if (op->kind != OP_ATOMIC || op->part != i) {
        end_block(x, c, t, read);
        return;
    }
    for (int k = -1; k < c->co_count[l]; k++) {
        struct candidate d = *c;
        int from = k < 0 ? -1 : c->co[l][k];
        struct event_ *e = &d.events[read];

        e->at[i] = l;
        e->parts = i + 1;
        e->rf[i] = from;
        e->value[i] = from < 0
                          ? x->p->initial[l]
                          : c->events[from].value[part_at(&c->events[from], l)];
        step(x, &d, t, e->value[i]);
        unfold_block(x, &d, t, read);
    }
}

static void try_block(struct brute *x, const struct candidate *c, unsigned t,
                      const struct op *op)
{
    struct candidate d = *c;
    int read = push(x, &d, t, RX, op);

    d.events[read].parts = 0;
    unfold_block(x, &d, t, read);
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

    brute_text(x->p, c, &text);
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
        else if (op->kind == OP_ATOMIC)
            try_block(x, c, t, op);
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
