/* SPDX-License-Identifier: MIT
 *
 * Reads that were left out of a graph, on C11.  A thread may have held a mutex
 * before it took it, read something, and let the mutex go (runtime/
 * native_wait.c).  Could such a read race with a write of the graph?
 *
 * If the write's thread holds the mutex, one section is before the other.  If
 * the write happens before what precedes the lock in its thread, it happens
 * before the read, too; and if the lock happens before the write, so does the
 * read, which comes before the lock.  Else we do not know.
 */
#include "graph/graph.h"

static row hb_until(const struct graph *g, int e)
{
    return e >= 0 ? g->before[e] | row_of(e) : row_none();
}

static struct effect effect_of(const struct graph_search *s,
                               const struct graph *g, int e)
{
    return behaviour_effect(s->behaviour, g->events[e].before,
                            g->events[e].value);
}

static bool takes(const struct graph_search *s, const struct graph *g, int e)
{
    struct effect effect = effect_of(s, g, e);

    return effect.writes && effect.construct == C_LOCK;
}

static bool is_sync(const struct graph_search *s, const struct graph *g, int e)
{
    return behaviour_op(s->behaviour, g->events[e].before)->kind == OP_SYNC;
}

/* Does its thread hold the mutex at e?  Whatever else was done with it ends
 * what is known of it. */
static bool holds(const struct graph_search *s, const struct graph *g, int e,
                  unsigned mutex)
{
    bool held = false;
    int x;

    ROW_EACH (x, g->reads[mutex] & graph_po_before(g, e)) {
        if (!is_sync(s, g, x))
            return false;
        if (effect_of(s, g, x).writes)
            held = takes(s, g, x);
    }
    return held;
}

/* Is the thread about to take it? */
static bool wants(const struct graph_search *s, const struct graph *g,
                  unsigned thread, unsigned mutex)
{
    const struct op *op = behaviour_op(s->behaviour, g->at[thread]);

    return g->created_by[thread] != NONE && op->kind == OP_SYNC &&
           op->location == mutex;
}

static bool may_race_at(const struct graph_search *s, const struct graph *g,
                        int write, int lock)
{
    return is_sync(s, g, lock) && takes(s, g, lock) &&
           !row_has(hb_until(g, graph_predecessor(g, lock)), write) &&
           !row_has(g->before[write], lock);
}

/* With a read of that thread? */
static bool may_race(const struct graph_search *s, const struct graph *g,
                     int write, unsigned mutex, unsigned thread)
{
    row own = g->of_thread[thread];
    int last = row_any(own) ? row_last(own) : g->created_by[thread], lock;

    ROW_EACH (lock, g->reads[mutex] & own)
        if (may_race_at(s, g, write, lock))
            return true;
    return wants(s, g, thread, mutex) && !row_has(hb_until(g, last), write);
}

/* RMWs that are loads to the search: in a round in vain one may have written
 * what it found. */
static row rmws_in_vain(const struct graph *g, unsigned location)
{
    row all = row_none();
    int e;

    ROW_EACH (e, g->reads[location])
        if (g->events[e].kind == NODE_RX && g->events[e].mate < 0)
            all |= row_of(e);
    return all;
}

/* Those that may, if they are not under the mutex: two atomic accesses do not,
 * and to free memory is to write it. */
static row rivals_of(const struct graph_search *s, const struct graph *g,
                     const struct graph_guard *r)
{
    row all = g->writes[r->location] | rmws_in_vain(g, r->location);
    int e;

    if (!r->plain)
        all &= g->plain;
    ROW_EACH (e, g->frees)
        if (s->covers(s->context,
                      behaviour_op(s->behaviour, g->events[e].before),
                      r->location))
            all |= row_of(e);
    return all;
}

bool graph_is_unguarded(const struct graph_search *s, const struct graph *g,
                        const struct graph_guard *r)
{
    int e;

    if (r->location >= g->location_count || r->mutex >= g->location_count)
        return false;
    ROW_EACH (e, rivals_of(s, g, r)) {
        if (holds(s, g, e, r->mutex))
            continue;
        for (unsigned t = 0; t < g->thread_count; t++) {
            if (t != g->events[e].thread && r->threads >> t & 1 &&
                may_race(s, g, e, r->mutex, t))
                return true;
        }
    }
    return false;
}
