/* SPDX-License-Identifier: MIT
 *
 * What orders a pair is what lies between, and the less, the better for us: of
 * all instances of a first, only the last one before the second counts.  So
 * each thread has its classes in a list, last used first; a second looks along
 * it, and only as far as its own class was used before: what is older than that
 * it has met already, with less between.
 */
#include "predict/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "predict/order.h"

#define IS_PAIR 0x100

/* ---- The pairs of all traces ---- */

void pairs_fini(struct pairs *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        free(p->rows[i]);
    free(p->rows);
    free(p->row_room);
    free(p->place);
    free(p->in_thread);
}

static void *renew(void *list, size_t old, size_t new, size_t size)
{
    char *more = realloc(list, new *size);

    CHECK(more != NULL);
    memset(more + old * size, 0, (new - old) * size);
    return more;
}

void pairs_add_class(struct pairs *p, uint32_t thread)
{
    if (p->count == p->room) {
        uint32_t room = p->room ? p->room * 2 : 64;

        p->rows = renew(p->rows, p->room, room, sizeof(*p->rows));
        p->row_room = renew(p->row_room, p->room, room, sizeof(*p->row_room));
        p->place = renew(p->place, p->room, room, sizeof(*p->place));
        p->room = room;
    }
    if (thread >= p->thread_room) {
        p->in_thread = renew(p->in_thread, p->thread_room, thread * 2 + 8,
                             sizeof(*p->in_thread));
        p->thread_room = thread * 2 + 8;
    }
    p->place[p->count++] = p->in_thread[thread]++;
}

uint32_t pairs_in_thread(const struct pairs *p, uint32_t thread)
{
    return thread < p->thread_room ? p->in_thread[thread] : 0;
}

bool pairs_get(const struct pairs *p, uint32_t a, uint32_t b, uint8_t *marks)
{
    uint16_t pair = p->place[b] < p->row_room[a] ? p->rows[a][p->place[b]] : 0;

    *marks = (uint8_t)pair;
    return pair & IS_PAIR;
}

static void note(struct pairs *p, uint32_t a, uint32_t b, uint8_t marks)
{
    uint32_t at = p->place[b];

    if (at >= p->row_room[a]) {
        p->rows[a] =
            renew(p->rows[a], p->row_room[a], at * 2 + 8, sizeof(**p->rows));
        p->row_room[a] = at * 2 + 8;
    }
    p->rows[a][at] |= (uint16_t)(IS_PAIR | marks);
}

/* ---- One trace ---- */

/* A class of the trace, in the list of its thread. */
struct recent {
    uint32_t newer, older;  /* PAIRS_NONE: none */
    uint64_t used;          /* number + 1 of the last access; 0: none */
    uint64_t drained;       /* the same of what drained it since, 0: nothing */
    uint8_t kind, drain_by; /* enum op_kind */
};

struct walk {
    struct pairs *p;
    const struct pairs_trace *from;
    struct recent *recent; /* per class of the trace */
    uint32_t *newest;      /* per thread */
    struct order *orders;  /* per thread */
    /* Of the access at hand, for drain(). */
    const struct order_op *op;
    uint64_t number;
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

static void put_first(struct walk *w, uint32_t c, uint8_t kind)
{
    uint16_t thread = w->from->local->list[c].at.thread;
    uint32_t old = w->newest[thread];

    take_out(w, c);
    old = w->newest[thread];
    w->recent[c] = (struct recent){
        .newer = PAIRS_NONE, .older = old, .used = w->number + 1, .kind = kind};
    if (old != PAIRS_NONE)
        w->recent[old].newer = c;
    w->newest[thread] = c;
}

/* The access is second to all that were used since its class was. */
static void be_second(struct walk *w, uint32_t b)
{
    const struct class *second = &w->from->local->list[b];
    const struct order *o = &w->orders[second->at.thread];
    struct order_answers answers;
    uint32_t a = w->newest[second->at.thread];

    order_ask(o, w->op, &answers);
    for (; a != PAIRS_NONE && w->recent[a].used > w->recent[b].used;
         a = w->recent[a].older) {
        const struct recent *r = &w->recent[a];
        uint8_t may;

        if (access_overlap(&w->from->local->list[a].at, &second->at))
            continue;
        may = order_answer(o, &answers, r->kind, r->used - 1);
        if (r->drained)
            may &= order_answer(o, &answers, r->drain_by, r->drained - 1);
        note(w->p, w->from->known_as[a], w->from->known_as[b], may);
    }
}

/* An RMW waits for the own stores that it overlaps: what is behind it is
 * behind them. */
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
    if (known)
        be_second(w, c);
    order_step(&w->orders[e->thread], &op, i);
    if (c != PAIRS_NONE && (op.kind == OP_RMW || op.kind == OP_CAS_FAIL))
        class_index_visit(from->index, from->local, c, drain, w);
    if (known)
        put_first(w, c, op.kind);
}

void pairs_add_trace(struct pairs *p, const struct pairs_trace *from)
{
    struct arena scratch = ARENA_INIT;
    size_t threads = from->t->thread_count;
    struct walk w = {.p = p, .from = from};

    w.recent = arena_array(&scratch, from->local->count, sizeof(*w.recent));
    w.newest = arena_array(&scratch, threads, sizeof(*w.newest));
    w.orders = arena_array(&scratch, threads, sizeof(*w.orders));
    for (size_t i = 0; i < threads; i++)
        w.newest[i] = PAIRS_NONE;
    for (uint32_t i = 0; i < from->t->event_count; i++)
        step(&w, i);
    arena_free(&scratch);
}
