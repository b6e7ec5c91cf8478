/* SPDX-License-Identifier: MIT
 *
 * Load buffering: a load that takes effect after a later store of its thread
 * may be part of a cycle of po and rf, which no search that adds events in
 * program order finds.  Every such cycle has a load and a later store that
 * nothing keeps in order, both met in some execution without one, and a way
 * from that store back to the load (thread_order_cycles.c).  A load under a
 * mutex that all those writers have reads nothing that comes of the store: its
 * source is released before the mutex is taken (decisions 18 and 23).
 */
#include <string.h>

#include "event/must.h"
#include "graph/thread_order_inside.h"

void thread_orders_forget(struct thread_orders *o)
{
    o->pair_count = 0;
    o->pairs_lost = false;
    thread_orders_forget_pieces(o);
    memset(o->readers, 0, sizeof o->readers);
    memset(o->writers, 0, sizeof o->writers);
    o->lock_count = 0;
}

/* The operation of that event of the path. */
static behaviour_node node_of(const struct thread_orders *o, uint32_t step,
                              unsigned event)
{
    while (event < o->steps[step].first)
        step = o->steps[step].parent;
    return o->steps[step].node;
}

static uint32_t site_of(const struct thread_orders *o, behaviour_node node)
{
    return behaviour_op(o->b, node)->site;
}

static bool is_same(const struct thread_orders *o, const struct kept_pair *a,
                    const struct kept_pair *b)
{
    return a->thread == b->thread && a->load == b->load &&
           a->store == b->store &&
           site_of(o, a->pair.load) == site_of(o, b->pair.load) &&
           site_of(o, a->pair.store) == site_of(o, b->pair.store);
}

static void add_pair(struct thread_orders *o, struct kept_pair pair)
{
    for (uint32_t i = o->pair_count; i--;) {
        if (is_same(o, &o->pairs[i], &pair)) {
            o->pairs[i].held &= pair.held;
            return;
        }
    }
    if (o->pair_count == PAIRS_MAX)
        o->pairs_lost = true;
    else
        o->pairs[o->pair_count++] = pair;
}

static void note_pairs(struct thread_orders *o, const struct path *p,
                       uint32_t step, int write)
{
    const struct kept_step *s = &o->steps[step];
    const struct path_event *w = p->events[write];
    unsigned own = s->read < 0 ? (unsigned)s->write : (unsigned)s->read;
    unsigned thread = behaviour_thread(o->b, s->node);

    for (unsigned i = 0; i < own; i++) {
        const struct path_event *r = p->events[i];

        if (r->marks & MARK_R && !path_has(&w->guarded, i))
            add_pair(o, (struct kept_pair){{node_of(o, step, i), s->node},
                                           (uint16_t)thread,
                                           (uint16_t)r->location,
                                           (uint16_t)w->location,
                                           r->marks & MARK_RMW,
                                           r->held});
    }
}

/* ---- Mutexes ---- */

static unsigned lock_number(struct thread_orders *o, unsigned location)
{
    unsigned i = 0;

    while (i < o->lock_count && o->locks[i] != location)
        i++;
    if (i == o->lock_count && i < LOCKS_MAX)
        o->locks[o->lock_count++] = (uint16_t)location;
    return i;
}

/* Whatever else is done with it ends what is known of it. */
uint64_t thread_orders_hold(struct thread_orders *o, const struct op *op,
                            const struct effect *effect, uint64_t held)
{
    unsigned lock;

    if (op->kind != OP_SYNC)
        return held;
    lock = lock_number(o, op->location);
    if (lock == LOCKS_MAX)
        return held;
    return op->locks && effect->writes && effect->construct == C_LOCK
               ? held | 1ull << lock
               : held & ~(1ull << lock);
}

static void note_write(struct thread_orders *o, unsigned thread,
                       unsigned location, uint64_t held)
{
    if (o->writers[location] >> thread & 1)
        o->held[thread][location] &= held;
    else
        o->held[thread][location] = held;
    o->writers[location] |= 1u << thread;
}

void thread_orders_note(struct thread_orders *o, const struct path *p,
                        uint32_t step, const struct op *op)
{
    const struct kept_step *s = &o->steps[step];
    unsigned thread = behaviour_thread(o->b, s->node);

    /* What is done before there are other threads is before all of them. */
    if (op->kind > OP_SYNC || (!thread && s->alone))
        return;
    MUST(op->location + op_parts(op) <= SHARED_LOCATIONS);
    for (int i = 0; i < s->reads; i++)
        o->readers[p->events[s->read + i]->location] |= 1u << thread;
    for (int i = 0; i < s->writes; i++) {
        unsigned location = (unsigned)p->events[s->write + i]->location;

        note_write(o, thread, location, p->held);
        note_pairs(o, p, step, s->write + i);
        thread_orders_note_pieces(o, p, step, location);
    }
}

bool thread_orders_unprotected(const struct thread_orders *o, bool all_shared,
                               struct thread_pair *to)
{
    for (uint32_t i = 0; i < o->pair_count; i++) {
        if (all_shared || thread_orders_leads_back(o, &o->pairs[i])) {
            *to = o->pairs[i].pair;
            return true;
        }
    }
    *to = (struct thread_pair){{0}, {0}};
    return o->pairs_lost;
}
