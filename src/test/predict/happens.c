/* SPDX-License-Identifier: MIT
 *
 * Who synchronises with whom (docs/cycles.md, "Predicted cycles"):
 *
 *   create -> start, exit -> join
 *   post -> wait, of semaphores, condition variables, barriers and once
 *   C11 release -> acquire, by way of the location that carries it, also with
 *     fences: what a release fence saw goes with later relaxed stores, what a
 *     relaxed load found arrives at the next acquire fence
 *   unlock -> lock, where the critical sections conflict (sections.c)
 *
 * A relaxed, volatile or plain access alone orders nothing.
 */
#include "predict/happens.h"

#include <string.h>

#include "model/model.h"
#include "predict/sections.h"

struct clocks {
    uint32_t *now, *released, *found; /* found: for the next acquire fence */
};

struct happens {
    const struct trace *t;
    struct sections *sections;
    struct clocks *threads;
    struct words places;     /* addresses of atomics and objects */
    VEC(uint32_t *) carried; /* per place; NULL: nothing */
    struct arena *arena;
};

struct happens *happens_new(const struct trace *t, const struct accesses *all,
                            struct arena *a)
{
    struct happens *h = arena_alloc(a, sizeof(*h));

    *h = (struct happens){.t = t, .arena = a};
    h->sections = sections_new(t, all, a);
    h->threads = arena_array(a, t->thread_count, sizeof(*h->threads));
    words_init(&h->places, a);
    for (size_t i = 0; i < t->thread_count; i++)
        h->threads[i].now =
            arena_array(a, t->thread_count, sizeof(*h->threads[i].now));
    return h;
}

bool happens_before(const struct happens *h, uint32_t i, uint16_t other,
                    uint16_t thread)
{
    return h->threads[thread].now[other] > i;
}

/* ---- Clocks, NULL being the empty one ---- */

static void join(const struct happens *h, uint32_t *to, const uint32_t *from)
{
    for (size_t i = 0; from && i < h->t->thread_count; i++)
        if (to[i] < from[i])
            to[i] = from[i];
}

static void join_into(struct happens *h, uint32_t **to, const uint32_t *from)
{
    if (!from)
        return;
    if (!*to)
        *to = arena_array(h->arena, h->t->thread_count, sizeof(**to));
    join(h, *to, from);
}

static void set(struct happens *h, uint32_t **to, const uint32_t *from)
{
    if (*to)
        memset(*to, 0, h->t->thread_count * sizeof(**to));
    join_into(h, to, from);
}

/* What the memory or object of that event carries. */
static uint32_t **carried_by(struct happens *h, const struct event *e)
{
    uint32_t n = words_add(&h->places, access_address(h->t, e));

    return VEC_REACH_IN(h->arena, &h->carried, n);
}

/* ---- C11 ---- */

static void read_atomic(struct happens *h, const struct event *e)
{
    struct clocks *c = &h->threads[e->thread];
    enum event_order order = e->flags & EVF_ORDER;

    if (!order_is_atomic(order))
        return;
    if (order_acquires(order))
        join(h, c->now, *carried_by(h, e));
    else
        join_into(h, &c->found, *carried_by(h, e));
}

/* An RMW adds to what the location carries, a store replaces it. */
static void write_atomic(struct happens *h, const struct event *e)
{
    struct clocks *c = &h->threads[e->thread];
    enum event_order order = e->flags & EVF_ORDER;
    uint32_t **carried;

    /* Nothing to replace: by far the most stores are to places of no note. */
    if (!order_is_atomic(order) &&
        !words_find(&h->places, access_address(h->t, e)))
        return;
    carried = carried_by(h, e);
    if (e->kind == EV_STORE)
        set(h, carried, NULL);
    if (order_releases(order))
        join_into(h, carried, c->now);
    else if (order_is_atomic(order))
        join_into(h, carried, c->released);
}

/* A fence of fencer.h that is not full is none of C11's. */
static void fence(struct happens *h, const struct event *e)
{
    struct clocks *c = &h->threads[e->thread];
    enum event_order order = e->flags & EVF_ORDER;
    unsigned bits = e->flags >> EVF_FENCE_SHIFT;

    if (order == ORDER_SEQ_CST && bits && !(bits & FENCE_FULL))
        return;
    if (order_acquires(order))
        join(h, c->now, c->found);
    if (order_releases(order))
        set(h, &c->released, c->now);
}

/* ---- The walk ---- */

static void step_thread(struct happens *h, const struct event *e)
{
    struct clocks *c = &h->threads[e->thread];

    if (e->value >= h->t->thread_count || e->value == e->thread)
        return;
    if (e->kind == EV_CREATE)
        join(h, h->threads[e->value].now, c->now);
    else
        join(h, c->now, h->threads[e->value].now);
}

void happens_step(struct happens *h, uint32_t i)
{
    const struct event *e = &h->t->events[i];
    struct clocks *c = &h->threads[e->thread];

    c->now[e->thread] = i + 1;
    if (e->flags & EVF_GHOST)
        return;
    switch (e->kind) {
    case EV_CREATE:
    case EV_JOIN:
        step_thread(h, e);
        break;
    case EV_LOCK:
        sections_begin(h->sections, i, c->now);
        break;
    case EV_UNLOCK:
        sections_end(h->sections, i, c->now);
        break;
    case EV_POST:
        join_into(h, carried_by(h, e), c->now);
        break;
    case EV_WAIT:
        if (!(e->flags & EVF_TIMED_OUT))
            join(h, c->now, *carried_by(h, e));
        break;
    case EV_FENCE:
        fence(h, e);
        break;
    case EV_RMW:
        read_atomic(h, e);
        write_atomic(h, e);
        break;
    case EV_LOAD:
    case EV_CAS_FAIL:
        read_atomic(h, e);
        break;
    case EV_STORE:
        write_atomic(h, e);
        break;
    default:
        break;
    }
}
