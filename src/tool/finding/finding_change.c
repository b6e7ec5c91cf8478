/* SPDX-License-Identifier: MIT
 *
 * What would have kept the accesses of a finding in order, in the words of the
 * source: a stronger order of an atomic access where that does it, else a
 * fence.
 *
 *      store, store    the second releases
 *      load, load      the first acquires
 *      load, store     the first acquires, or the second releases
 *      store, load     both are seq_cst
 *
 * What is tried comes back if it was not enough, and then more is asked for.  A
 * race is mended where one thread heard of the other: those accesses are to
 * release and to acquire.  If it did not hear, and the race needs no cycle, the
 * two are to be atomic.
 *
 * The pair that was swapped is not always where the mistake is: a lock that is
 * handed on without order shows in what it protects.  So there is another way:
 * whatever one thread reads from another is released and acquired.
 */
#include "finding/shown.h"

#include <string.h>

/* ---- One change ---- */

static enum event_order order_of(const struct event *e)
{
    return e->flags & EVF_ORDER;
}

/* The same in the source, where it is another if only one end of a CAS has it.
 */
static enum event_order order_in_source(const struct event *e)
{
    enum event_order own = e->flags >> EVF_OWN_SHIFT & EVF_ORDER;

    return e->kind != EV_FENCE && own ? own : order_of(e);
}

/* Has it an order that one could change?  Inline assembly and the library have
 * none. */
static bool is_atomic(const struct trace *t, const struct event *e)
{
    const struct fencer_site *s = &t->sites[e->site];

    return order_of(e) >= ORDER_RELAXED && s->kind != EV_CALL &&
           !(s->size & SITE_ASSEMBLY);
}

static bool reads(const struct event *e)
{
    return e->kind == EV_LOAD || e->kind == EV_RMW || e->kind == EV_CAS_FAIL;
}

static bool writes(const struct event *e)
{
    return e->kind == EV_STORE || e->kind == EV_RMW;
}

static struct channel_fence *find_order(struct changes *c, uint32_t site,
                                        uint32_t which)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->list[i].site == site && c->list[i].bits & CHANNEL_FENCE_ORDER &&
            (c->list[i].bits & CHANNEL_FENCE_FAILURE) == which)
            return &c->list[i];
    }
    return NULL;
}

/* The access gets that order, too. */
static bool add_order(struct changes *c, const struct event *e,
                      enum event_order order)
{
    uint32_t which = e->kind == EV_CAS_FAIL ? CHANNEL_FENCE_FAILURE : 0;
    struct channel_fence *f = find_order(c, e->site, which);
    enum event_order now = order_in_source(e), want = order_join(now, order);

    if (!e->site || want == now || (!f && c->count == CHANNEL_FENCES_MAX))
        return false;
    if (f) {
        uint32_t bits = (f->bits & ~(uint32_t)EVF_ORDER) |
                        order_join(f->bits & EVF_ORDER, want);
        bool added = bits != f->bits;

        f->bits = bits;
        return added;
    }
    c->list[c->count++] = (struct channel_fence){
        e->site, CHANNEL_FENCE_ORDER | which |
                     (uint32_t)now << CHANNEL_FENCE_FROM | want};
    return true;
}

static bool add_fence(struct changes *c, uint32_t site, uint32_t bits)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->list[i].site == site && c->list[i].bits == bits)
            return false;
    }
    if (!site || c->count == CHANNEL_FENCES_MAX)
        return false;
    c->list[c->count++] = (struct channel_fence){site, bits};
    return true;
}

/* ---- A pair of the cycle ---- */

static bool add_seq_cst(const struct trace *t, struct changes *c,
                        const struct event *first, const struct event *second)
{
    bool added;

    if (!is_atomic(t, first) || !is_atomic(t, second))
        return false;
    added = add_order(c, first, ORDER_SEQ_CST);
    return add_order(c, second, ORDER_SEQ_CST) || added;
}

static bool add_fences(struct changes *c, const struct event *first,
                       const struct event *second)
{
    uint32_t bits = !writes(first)   ? FENCE_LL
                    : writes(second) ? FENCE_SS
                                     : FENCE_SL;

    return add_fence(c, first->site, bits) ||
           add_fence(c, first->site, FENCE_FULL);
}

static bool keep_in_order(const struct trace *t, struct changes *c,
                          const struct event *first, const struct event *second)
{
    if (reads(first) && is_atomic(t, first) && !order_acquires(order_of(first)))
        return add_order(c, first, ORDER_ACQUIRE);
    if (writes(second) && is_atomic(t, second) &&
        !order_releases(order_of(second)))
        return add_order(c, second, ORDER_RELEASE);
    return add_seq_cst(t, c, first, second) || add_fences(c, first, second);
}

static bool mend_cycle(const struct shown *s, struct changes *c)
{
    const struct shown_cycle *cycle = &s->cycle;
    const struct event *e = s->trace.events;
    bool added = false;

    for (uint32_t i = 0; i < cycle->length; i++) {
        if (cycle->pairs[i] == GOAL_FIRST &&
            (!cycle->reordered || cycle->reordered >> i & 1))
            added |= keep_in_order(&s->trace, c, &e[cycle->events[i]],
                                   &e[cycle->events[(i + 1) % cycle->length]]);
    }
    return added;
}

/* ---- A race ---- */

/* A volatile access has no order, but what it orders in one execution could be
 * relied on if it had. */
static bool could_synchronize(const struct trace *t, const struct event *e)
{
    return is_atomic(t, e) || order_of(e) == ORDER_VOLATILE;
}

/* The last read of `to`'s thread before it that took what `from`'s thread wrote
 * after `from`, or NULL. */
static const struct event *
heard(const struct trace *t, const struct event *from, const struct event *to)
{
    const struct event *best = NULL;

    for (size_t i = 0; i < t->event_count; i++) {
        const struct event *r = &t->events[i];
        const struct event *w =
            r->from && reads(r) ? &t->events[r->from - 1] : NULL;

        if (w && r->thread == to->thread && r->index < to->index &&
            w->thread == from->thread && w->index > from->index &&
            could_synchronize(t, r) && could_synchronize(t, w))
            best = r;
    }
    return best;
}

static bool mend_way(const struct trace *t, const struct event *from,
                     const struct event *to, struct changes *c)
{
    const struct event *r = heard(t, from, to);
    bool added;

    if (!r)
        return false;
    added = add_order(c, &t->events[r->from - 1], ORDER_RELEASE);
    return add_order(c, r, ORDER_ACQUIRE) || added;
}

static bool mend_race(const struct shown *s, struct changes *c)
{
    const struct trace *t = &s->trace;
    const struct event *a = &t->events[s->race[0]];
    const struct event *b = &t->events[s->race[1]];
    bool added;

    if (mend_way(t, a, b, c) || mend_way(t, b, a, c) || mend_cycle(s, c))
        return true;
    added = !order_is_atomic(order_of(a)) && add_order(c, a, ORDER_RELAXED);
    return (!order_is_atomic(order_of(b)) && add_order(c, b, ORDER_RELAXED)) ||
           added;
}

/* ---- Every access through which a thread heard of another ---- */

bool shown_add_orders(const struct shown *s, struct changes *c)
{
    const struct trace *t = &s->trace;
    bool added = false;

    for (size_t i = 0; i < t->event_count; i++) {
        const struct event *r = &t->events[i];
        const struct event *w =
            r->from && reads(r) ? &t->events[r->from - 1] : NULL;

        if (!w || w->thread == r->thread || !is_atomic(t, r) ||
            !is_atomic(t, w))
            continue;
        added |= !order_releases(order_of(w)) && add_order(c, w, ORDER_RELEASE);
        added |= !order_acquires(order_of(r)) && add_order(c, r, ORDER_ACQUIRE);
    }
    return added;
}

bool shown_add_changes(const struct shown *s, struct changes *c)
{
    return s->class == CLASS_RACE ? mend_race(s, c) : mend_cycle(s, c);
}
