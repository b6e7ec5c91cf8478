/* SPDX-License-Identifier: MIT
 *
 * What lies between the two accesses of a pair may order it, so the less lies
 * between, the better: of all instances of a first access, only the last one
 * before the second counts.  So each thread has its classes in a list, last
 * used first.  A second access looks along that list only as far as its own
 * class was used before; with what is older than that it was paired already,
 * with less between.
 */
#include "predict/pairs.h"

#include <string.h>

#include "base/check.h"
#include "predict/predict_order.h"
#include "predict/terms.h"

#define IS_PAIR 0x10000u

/* ---- The pairs ---- */

void pairs_fini(struct pairs *p)
{
    for (uint32_t i = 0; i < p->rows.count; i++)
        VEC_FREE(&p->rows.list[i]);
    VEC_FREE(&p->rows);
    VEC_FREE(&p->in_thread);
}

void pairs_add_class(struct pairs *p, uint32_t thread)
{
    uint32_t place = (*VEC_REACH(&p->in_thread, thread))++;

    VEC_PUSH(&p->rows, {.thread = thread, .place = place});
}

uint32_t pairs_in_thread(const struct pairs *p, uint32_t thread)
{
    return thread < p->in_thread.count ? p->in_thread.list[thread] : 0;
}

bool pairs_get(const struct pairs *p, uint32_t a, uint32_t b, uint16_t *marks)
{
    const struct pairs_row *first = &VEC_AT(&p->rows, a);
    const struct pairs_row *row = &VEC_AT(&p->rows, b);
    uint32_t pair = first->place < row->count ? row->list[first->place] : 0;

    CHECK(first->thread == row->thread);
    *marks = (uint16_t)pair;
    return pair & IS_PAIR;
}

static bool rows_equal(const struct pairs_row *x, const struct pairs_row *y)
{
    return x->count == y->count &&
           (!x->count ||
            memcmp(x->list, y->list, x->count * sizeof(*x->list)) == 0);
}

bool pairs_equal(const struct pairs *a, const struct pairs *b)
{
    if (a->rows.count != b->rows.count)
        return false;
    for (uint32_t i = 0; i < a->rows.count; i++)
        if (!rows_equal(&a->rows.list[i], &b->rows.list[i]))
            return false;
    return true;
}

uint64_t pairs_bytes(const struct pairs *p)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < p->rows.count; i++)
        bytes += p->rows.list[i].count * sizeof(*p->rows.list[i].list);
    return bytes;
}

/* Of that second, with an entry for each class of its thread. */
static uint32_t *row_of(struct pairs *p, uint32_t b, uint32_t thread)
{
    struct pairs_row *row = &VEC_AT(&p->rows, b);
    uint32_t last = VEC_AT(&p->in_thread, thread) - 1;

    CHECK(row->thread == thread);
    return VEC_REACH(row, last) - last;
}

/* ---- One trace ---- */

/* A class of the trace, in the list of its thread. */
struct recent {
    uint32_t newer, older;  /* PAIRS_NONE: none */
    uint64_t used;          /* number + 1 of the last access; 0: none */
    uint64_t drained;       /* the same of what drained it since, 0: nothing */
    uint32_t place;         /* among the classes of its thread */
    uint8_t kind, drain_by; /* enum op_kind */
    struct terms_place at;  /* to models without a machine */
};

/* The last access of a class that is an RMW: its number + 1, 0 if there is
 * none; per model, own stores with numbers below `after` are before it. */
struct rmw {
    uint64_t used, after[CYCLE_MODELS_MAX];
};

struct walk {
    struct pairs *p;
    const struct pairs_trace *from;
    struct class_index index;
    struct recent *recent; /* per class of the trace */
    struct rmw *rmws;      /* the same */
    uint32_t *newest;      /* per thread */
    struct order *orders;  /* per thread */
    struct terms **terms;  /* the same, of models without a machine */
    bool *has_rmw;         /* per thread */
    /* Of the access at hand: */
    const struct order_op *op;
    uint64_t number;
    struct order_answers answers;
    uint64_t reads_below; /* firsts that read, and per model stores, with */
    uint64_t stores_below[CYCLE_MODELS_MAX]; /* such numbers are before it by
                                                way of an RMW of its memory */
};

static void take_out(struct walk *w, uint32_t c)
{
    struct recent *r = &w->recent[c];
    uint16_t thread = w->from->local->list[c].at.thread;

    if (!r->used)
        return;
    if (r->newer == PAIRS_NONE)
        w->newest[thread] = r->older;
    else
        w->recent[r->newer].older = r->older;
    if (r->older != PAIRS_NONE)
        w->recent[r->older].newer = r->newer;
}

static bool is_rmw(uint8_t kind)
{
    return kind == OP_RMW || kind == OP_CAS_FAIL;
}

static void put_first(struct walk *w, uint32_t c)
{
    uint16_t thread = w->from->local->list[c].at.thread;
    struct recent *r = &w->recent[c];

    take_out(w, c);
    r->newer = PAIRS_NONE;
    r->older = w->newest[thread];
    r->used = w->number + 1;
    r->drained = 0;
    r->place = VEC_AT(&w->p->rows, w->from->known_as[c]).place;
    r->kind = w->op->kind;
    r->at = terms_here(w->terms[thread]);
    if (r->older != PAIRS_NONE)
        w->recent[r->older].newer = c;
    w->newest[thread] = c;
}

static void note_rmw(struct walk *w, uint32_t c)
{
    uint16_t thread = w->from->local->list[c].at.thread;
    struct rmw *r = &w->rmws[c];

    w->has_rmw[thread] = true;
    r->used = w->number + 1;
    for (unsigned m = 0; m < CYCLE_MODELS_MAX; m++)
        r->after[m] = order_bound(&w->orders[thread], &w->answers, OP_STORE, m);
}

/* Two loads of the same memory stay in order, and an RMW is one: what is
 * before the RMW is before the load. */
static void look_at_rmw(void *context, uint32_t c, uint32_t other)
{
    struct walk *w = context;
    const struct rmw *r = &w->rmws[other];
    const struct access *load = &w->from->local->list[c].at;
    const struct access *rmw = &w->from->local->list[other].at;

    if (rmw->thread != load->thread || !r->used || !access_overlap(rmw, load))
        return;
    if (w->reads_below < r->used)
        w->reads_below = r->used;
    for (unsigned m = 0; m < CYCLE_MODELS_MAX; m++) {
        uint64_t below = r->after[m] < r->used ? r->after[m] : r->used;

        if (w->stores_below[m] < below)
            w->stores_below[m] = below;
    }
}

static void look_at_rmws(struct walk *w, uint32_t c)
{
    w->reads_below = 0;
    memset(w->stores_below, 0, sizeof(w->stores_below));
    if (w->op->kind == OP_LOAD && w->has_rmw[w->from->local->list[c].at.thread])
        class_index_visit(&w->index, w->from->local, c, look_at_rmw, w);
}

/* Machines, bit by bit, on which the access at hand may overtake that one. */
static uint16_t may_overtake(const struct walk *w, const struct order *o,
                             const struct recent *r)
{
    uint64_t number = r->used - 1;
    uint16_t may = order_answer(o, &w->answers, r->kind, number);

    if (r->drained)
        may &= order_answer(o, &w->answers, r->drain_by, r->drained - 1);
    if (r->kind != OP_STORE)
        return number < w->reads_below ? 0 : may;
    for (unsigned m = 0; m < CYCLE_MODELS_MAX; m++)
        if (number < w->stores_below[m])
            may &= (uint16_t)~(1u << m);
    return may;
}

/* The same of all models. */
static uint16_t may_swap(const struct walk *w, uint16_t thread,
                         const struct recent *r)
{
    return may_overtake(w, &w->orders[thread], r) |
           terms_may(w->terms[thread], &r->at);
}

/* The access is second to all that were used since its class was; some share
 * a byte with it, which pairs_get leaves to its caller. */
static void be_second(struct walk *w, uint32_t b)
{
    uint16_t thread = w->from->local->list[b].at.thread;
    uint32_t *row = row_of(w->p, w->from->known_as[b], thread);
    uint32_t a = w->newest[thread];

    look_at_rmws(w, b);
    for (; a != PAIRS_NONE && w->recent[a].used > w->recent[b].used;
         a = w->recent[a].older)
        row[w->recent[a].place] |= IS_PAIR | may_swap(w, thread, &w->recent[a]);
}

/* An RMW waits for the own stores that it overlaps: what is after it is
 * after them. */
static void drain(void *context, uint32_t c, uint32_t other)
{
    struct walk *w = context;
    struct recent *r = &w->recent[other];
    const struct class *by = &w->from->local->list[c];
    const struct class *store = &w->from->local->list[other];

    if (store->at.thread != by->at.thread || !r->used || r->drained ||
        r->kind != OP_STORE || !access_overlap(&store->at, &by->at))
        return;
    r->drained = w->number + 1;
    r->drain_by = w->op->kind;
}

static void step(struct walk *w, uint32_t i)
{
    const struct pairs_trace *from = w->from;
    const struct event *e = &from->t->events[i];
    uint32_t access = from->all->of_event[i];
    struct order_op op = order_op_of(from->t, e);
    uint32_t c = access == ACCESS_NONE ? PAIRS_NONE : from->class_of[access];
    bool known = c != PAIRS_NONE && from->known_as[c] != PAIRS_NONE;

    if (e->kind == EV_COMMIT)
        return;
    w->op = &op;
    w->number = i;
    terms_step(w->terms[e->thread], from->t, e);
    if (known || (c != PAIRS_NONE && is_rmw(op.kind)))
        order_ask(&w->orders[e->thread], &op, &w->answers);
    if (known) {
        be_second(w, c);
        put_first(w, c);
    }
    if (c != PAIRS_NONE && is_rmw(op.kind)) {
        note_rmw(w, c);
        class_index_visit(&w->index, from->local, c, drain, w);
    }
    order_step(&w->orders[e->thread], &op, i);
}

void pairs_add_trace(struct pairs *p, const struct pairs_trace *from)
{
    struct arena scratch = ARENA_INIT;
    size_t threads = from->t->thread_count;
    struct walk w = {.p = p, .from = from};

    w.recent = arena_array(&scratch, from->local->count, sizeof(*w.recent));
    w.rmws = arena_array(&scratch, from->local->count, sizeof(*w.rmws));
    class_index_init(&w.index, from->local, true, &scratch);
    w.newest = arena_array(&scratch, threads, sizeof(*w.newest));
    w.has_rmw = arena_array(&scratch, threads, sizeof(*w.has_rmw));
    w.orders = arena_array(&scratch, threads, sizeof(*w.orders));
    w.terms = arena_array(&scratch, threads, sizeof(struct terms *));
    for (size_t i = 0; i < threads; i++) {
        w.newest[i] = PAIRS_NONE;
        w.terms[i] = terms_new(from->terms, &scratch);
    }
    for (uint32_t i = 0; i < from->t->event_count; i++)
        step(&w, i);
    arena_free(&scratch);
}
