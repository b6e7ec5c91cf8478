/* SPDX-License-Identifier: MIT
 *
 * Ways from a store back to an earlier load of its thread.  A cycle of po and
 * rf goes from thread to thread: each reads what the one before wrote, and then
 * writes what the next one reads.  Such a piece, a load and a later store of
 * one thread, is met in some execution without a cycle if it is part of a first
 * one (decision 23).  So where no pieces that were met lead from the store of a
 * pair back to its load, that load is never late.
 *
 * That does not hold of an RMW.  What it reads nobody else's may read, so it
 * may be that what leads back is done in executions with a cycle alone.  There
 * it is enough that another thread comes to that location at all.
 *
 * A creation and a join belong to pieces, too: what a thread read before it
 * made another comes before what that one writes, and what a thread read before
 * what is written after its join.
 */
#include <string.h>

#include "graph/thread_order_inside.h"

static void add_location(struct location_set *s, unsigned location)
{
    s->word[location / 64] |= 1ull << location % 64;
}

static bool has_location(const struct location_set *s, unsigned location)
{
    return s->word[location / 64] >> location % 64 & 1;
}

void thread_orders_forget_pieces(struct thread_orders *o)
{
    for (unsigned t = 0; t < PATH_THREADS; t++) {
        memset(o->pieces[t], 0, o->location_count * sizeof *o->pieces[t]);
        memset(o->made[t], 0, o->location_count * sizeof *o->made[t]);
        memset(o->joined[t], 0, o->location_count * sizeof *o->joined[t]);
    }
    o->location_count = 0;
}

/* ---- What was met ---- */

static void know_location(struct thread_orders *o, unsigned location)
{
    if (location >= o->location_count)
        o->location_count = location + 1;
}

/* The thread's joins, and those of the threads that made it, so far. */
static uint32_t joins_before(const struct thread_orders *o, behaviour_node node)
{
    uint32_t joined = 0;

    while (node.ix) {
        const struct op *op = behaviour_op(o->b, node);
        behaviour_node parent = behaviour_parent(o->b, node);

        if (op->kind == OP_JOIN && op->thread < PATH_THREADS)
            joined |= 1u << op->thread;
        node = parent.ix ? parent
                         : (behaviour_node){o->b->entries[node.ix].creator};
    }
    return joined;
}

/* What the first thread reads before it makes another is before all others. */
static bool is_alone(const struct thread_orders *o, behaviour_node node)
{
    if (!o->starts_alone || behaviour_thread(o->b, node))
        return false;
    while ((node = behaviour_parent(o->b, node)).ix)
        if (behaviour_op(o->b, node)->kind == OP_CREATE)
            return false;
    return true;
}

static void add_made(struct thread_orders *o, behaviour_node at,
                     const struct op *op, unsigned store)
{
    for (unsigned i = 0; i < op_parts(op); i++) {
        know_location(o, op->location + i);
        add_location(&o->made[behaviour_thread(o->b, at)][op->location + i],
                     store);
    }
}

/* A thread that was made goes on with what its maker read. */
static void add_pieces_of_maker(struct thread_orders *o, behaviour_node at,
                                unsigned store)
{
    while (at.ix) {
        const struct op *op = behaviour_op(o->b, at);
        behaviour_node parent = behaviour_parent(o->b, at);

        if (op->kind <= OP_SYNC && op->kind != OP_STORE && !is_alone(o, at))
            add_made(o, at, op, store);
        at =
            parent.ix ? parent : (behaviour_node){o->b->entries[at.ix].creator};
    }
}

static behaviour_node root_of(const struct thread_orders *o,
                              behaviour_node node)
{
    while (behaviour_parent(o->b, node).ix)
        node = behaviour_parent(o->b, node);
    return node;
}

void thread_orders_note_pieces(struct thread_orders *o, const struct path *p,
                               uint32_t step, unsigned location)
{
    const struct kept_step *s = &o->steps[step];
    unsigned thread = behaviour_thread(o->b, s->node);
    behaviour_node root = root_of(o, s->node);

    know_location(o, location);
    for (unsigned i = 0; i < (unsigned)s->write; i++) {
        unsigned load = (unsigned)p->events[i]->location;

        if (!(p->events[i]->marks & MARK_R))
            continue;
        know_location(o, load);
        add_location(&o->pieces[thread][load], location);
    }
    add_pieces_of_maker(o, (behaviour_node){o->b->entries[root.ix].creator},
                        location);
    o->joined[thread][location] |= joins_before(o, s->node);
}

/* ---- The way back ---- */

/* A thread that has equals may be its own neighbour: one of these does, in an
 * execution that is not explored, what it does. */
static bool has_equals(const struct thread_orders *o, unsigned thread)
{
    const struct behaviour_twins *t = &o->b->twins;

    return t->linked && (t->beside[0][thread] || t->beside[1][thread]);
}

struct way {
    const struct thread_orders *o;
    struct location_set seen[PATH_THREADS]; /* written by that thread */
    unsigned count;
    struct {
        uint16_t thread, location;
    } queue[PATH_THREADS * SHARED_LOCATIONS];
};

static void come_to(struct way *w, unsigned thread, unsigned location)
{
    if (has_location(&w->seen[thread], location))
        return;
    add_location(&w->seen[thread], location);
    w->queue[w->count].thread = (uint16_t)thread;
    w->queue[w->count++].location = (uint16_t)location;
}

/* May t write that after the reader, another thread, read `location`? */
static bool goes_over(const struct thread_orders *o, unsigned reader,
                      unsigned location, unsigned t, unsigned written)
{
    uint32_t joined = o->joined[t][written];

    return has_location(&o->made[reader][location], written) ||
           (has_equals(o, reader) ? joined != 0 : joined >> reader & 1);
}

static void go_on(struct way *w, unsigned reader, unsigned location)
{
    const struct thread_orders *o = w->o;

    for (unsigned l = 0; l < o->location_count; l++) {
        for (uint32_t left = o->writers[l]; left; left &= left - 1) {
            unsigned t = (unsigned)__builtin_ctz(left);

            if (t == reader ? has_location(&o->pieces[reader][location], l)
                            : goes_over(o, reader, location, t, l))
                come_to(w, t, l);
        }
    }
}

static bool may_follow(const struct thread_orders *o, unsigned writer,
                       unsigned reader)
{
    return writer != reader || has_equals(o, writer);
}

static bool is_shared(const struct thread_orders *o,
                      const struct kept_pair *pair)
{
    uint32_t who = o->readers[pair->load] | o->writers[pair->load];

    for (unsigned t = 0; t < PATH_THREADS; t++)
        if (who >> t & 1 && may_follow(o, t, pair->thread) &&
            (!(o->writers[pair->load] >> t & 1) ||
             !(o->held[t][pair->load] & pair->held)))
            return true;
    return false;
}

bool thread_orders_leads_back(const struct thread_orders *o,
                              const struct kept_pair *pair)
{
    static struct way w; /* large */

    if (pair->rmw)
        return is_shared(o, pair);
    w.o = o;
    w.count = 0;
    memset(w.seen, 0, sizeof w.seen);
    come_to(&w, pair->thread, pair->store);
    for (unsigned i = 0; i < w.count; i++) {
        unsigned thread = w.queue[i].thread, location = w.queue[i].location;

        /* Who writes it with a mutex that the load has, too, is no source. */
        if (i && location == pair->load &&
            may_follow(o, thread, pair->thread) &&
            !(o->held[thread][location] & pair->held))
            return true;
        for (unsigned t = 0; t < PATH_THREADS; t++)
            if (o->readers[location] >> t & 1 && may_follow(o, thread, t))
                go_on(&w, t, location);
    }
    return false;
}
