/* SPDX-License-Identifier: MIT
 *
 * Stores of rounds that were left out of a graph (runtime/native_redo.c).  A
 * thread passed the header of a loop; before it went on from there it may have
 * gone round, stored into some places, and passed the header again.  Could
 * somebody have seen what it stored into one of them?
 *
 * Nobody could who knows that the thread has stored into that place since, and
 * done something else that a round which is left out does not do.
 */
#include "graph/graph_search.h"

/* What is asked: of which place, and what its thread did after the header. */
struct question {
    const struct graph_search *s;
    const struct graph *g;
    const struct graph_redone *redone;
    row after;    /* events of the thread */
    row goes_on;  /* of these, what is no part of a round that is left out */
    row stores;   /* of these, to the place */
    int last;     /* event before the header, or its CREATE; negative: none */
    bool lone_at; /* it passed it when all others may have ended */
};

static bool passes(const struct question *q, behaviour_node at, unsigned bit)
{
    return q->s->behaviour->entries[at.ix].passes >> bit & 1;
}

/* Where the thread's last event was announced. */
static behaviour_node last_node(const struct graph *g, unsigned thread)
{
    int last = graph_last_of(g, thread);

    return last < 0 ? (behaviour_node){0} : g->events[last].before;
}

/* Did it do so after its last event? */
static bool passes_last(const struct question *q, unsigned thread, unsigned bit)
{
    behaviour_node stop = last_node(q->g, thread), n = q->g->at[thread];

    for (; n.ix && n.ix != stop.ix; n = behaviour_parent(q->s->behaviour, n))
        if (passes(q, n, bit))
            return true;
    return false;
}

/* Did it do so before its first event?  Creations need not be events. */
static bool passes_first(const struct question *q, unsigned thread,
                         unsigned bit)
{
    row own = q->g->of_thread[thread];
    behaviour_node n =
        row_any(own) ? q->g->events[row_first(own)].before : q->g->at[thread];

    for (; n.ix; n = behaviour_parent(q->s->behaviour, n))
        if (passes(q, n, bit))
            return true;
    return false;
}

/* The events since it passed the header for the last time.  False: it did not.
 */
static bool find_after(struct question *q, unsigned bit)
{
    const struct graph *g = q->g;
    unsigned thread = q->redone->thread;
    row left = g->of_thread[thread];
    behaviour_node found = {0};

    q->after = row_none();
    q->lone_at = (int)thread == q->s->last_thread;
    if (passes_last(q, thread, bit))
        return true;
    q->lone_at = false;
    for (; row_any(left); left &= row_below(row_last(left))) {
        int e = row_last(left);

        if (found.ix && g->events[e].before.ix != found.ix)
            return true;
        q->after |= row_of(e);
        if (passes(q, g->events[e].before, bit))
            found = g->events[e].before;
    }
    return found.ix || passes_first(q, thread, bit);
}

/* A write that a round could do which is left out: to such a place, or of what
 * it found. */
static bool may_be_left_out(const struct question *q,
                            const struct graph_redone *list, unsigned count,
                            int write)
{
    const struct node_event *w = &q->g->events[write];

    if (w->kind == NODE_WX && q->g->events[w->mate].value == w->value)
        return true;
    for (unsigned i = 0; i < count; i++)
        if (list[i].thread == w->thread && list[i].location == w->location &&
            !list[i].bound)
            return true;
    return false;
}

static void find_writes(struct question *q, const struct graph_redone *list,
                        unsigned count)
{
    const struct graph *g = q->g;
    row before = g->of_thread[q->redone->thread] & ~q->after;
    int e;

    q->goes_on = row_none();
    q->stores = g->writes[q->redone->location] & q->after;
    if (q->redone->plain)
        q->stores &= g->plain;
    q->last =
        row_any(before) ? row_last(before) : g->created_by[q->redone->thread];
    ROW_EACH (e, q->after)
        if (node_writes(&g->events[e]) && !may_be_left_out(q, list, count, e))
            q->goes_on |= row_of(e);
}

/* Is e too early to see anything of that?  On C11 it also has to happen before
 * that. */
static bool is_before(const struct question *q, int e)
{
    const struct graph *g = q->g;

    return q->last >= 0 && (row_has(g->porf[q->last], e) || e == q->last) &&
           (!g->releases || row_has(g->before[q->last], e) || e == q->last);
}

static row hb_until(const struct graph *g, int e)
{
    return e >= 0 ? g->before[e] | row_of(e) : row_none();
}

/* What comes before the access, whatever it reads: asked as if its thread were
 * still about to do it. */
static row known_to(const struct question *q, int e)
{
    struct graph *g = (struct graph *)q->g;
    unsigned thread = g->events[e].thread;
    row own = g->of_thread[thread], known;
    behaviour_node at = g->at[thread];

    if (g->releases)
        return hb_until(g, graph_predecessor(g, e));
    g->of_thread[thread] = graph_po_before(g, e);
    g->at[thread] = g->events[e].before;
    known = q->s->rules->known(q->s->model, g, thread,
                               behaviour_op(q->s->behaviour, g->at[thread]));
    g->of_thread[thread] = own;
    g->at[thread] = at;
    return known;
}

static bool may_see(const struct question *q, int e)
{
    const struct graph *g = q->g;
    row known =
        node_accesses(&g->events[e]) ? known_to(q, e) : graph_done_before(g, e);

    return !is_before(q, e) &&
           (!row_any(q->stores & known) ||
            !row_any(q->goes_on & graph_prefix(g, graph_predecessor(g, e))));
}

/* The thread itself sees what it stored. */
static bool sees_itself(const struct question *q)
{
    const struct graph *g = q->g;
    int e;

    ROW_EACH (e, g->reads[q->redone->location] & q->after)
        if (!row_any(q->g->writes[q->redone->location] & q->after &
                     row_below(e)))
            return true;
    return false;
}

/* Does the last thread, alone, read what is last in co? */
static bool is_read_alone(const struct question *q)
{
    const struct graph *g = q->g;
    unsigned location = q->redone->location;
    bool reads = false;
    behaviour_node n, stop;

    if (q->s->last_thread < 0)
        return false;
    n = g->at[q->s->last_thread];
    stop = last_node(g, (unsigned)q->s->last_thread);
    for (; n.ix && n.ix != stop.ix; n = behaviour_parent(q->s->behaviour, n)) {
        const struct op *op = behaviour_op(q->s->behaviour, n);

        if (op->kind <= OP_PUT && op->location == location)
            reads = op->kind != OP_STORE && op->kind != OP_PUT;
    }
    return reads;
}

static bool is_seen(const struct question *q)
{
    const struct graph *g = q->g;
    unsigned location = q->redone->location;
    row own = g->of_thread[q->redone->thread];
    int e;

    ROW_EACH (e, (g->reads[location] | g->writes[location]) & ~own)
        if (may_see(q, e))
            return true;
    ROW_EACH (e, g->frees & ~own)
        if (q->s->covers(q->s->context,
                         behaviour_op(q->s->behaviour, g->events[e].before),
                         location) &&
            may_see(q, e))
            return true;
    return sees_itself(q) ||
           (!row_any(g->writes[location] & q->after) && is_read_alone(q));
}

/* Do others write two places that the rounds of one loop read, which its thread
 * gives up, or one as often as there are rounds (runtime/native_bound.c)? */
static bool is_torn(const struct graph *g, const struct graph_redone *list,
                    unsigned count, unsigned i)
{
    unsigned written = 0;

    for (unsigned k = 0; k < count; k++) {
        row writes = row_none();

        if (list[k].bound && list[k].loop == list[i].loop &&
            list[k].thread == list[i].thread &&
            list[k].location < g->location_count)
            writes =
                g->writes[list[k].location] & ~g->of_thread[list[k].thread];
        written += row_any(writes);
        if (list[k].rounds && row_any(writes) &&
            (uint32_t)row_count(writes) + 1 >= list[k].rounds)
            return true;
    }
    return written > 1;
}

int graph_sees_redone(const struct graph_search *s, const struct graph *g,
                      const struct graph_redone *list, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct question q = {.s = s, .g = g, .redone = &list[i]};

        if (list[i].bound && is_torn(g, list, count, i))
            return (int)i;
        if (list[i].bound || list[i].location >= g->location_count ||
            list[i].thread >= g->thread_count ||
            g->created_by[list[i].thread] == NONE || !find_after(&q, i))
            continue;
        find_writes(&q, list, count);
        if (is_seen(&q))
            return (int)i;
    }
    return -1;
}
