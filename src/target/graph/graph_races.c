/* SPDX-License-Identifier: MIT
 *
 * Data races: two accesses to the same memory by different threads, of which
 * one writes and one is not atomic.  On C11 they race if neither happens before
 * the other.  On SC they do if they could be done at the same time: if nothing
 * lies between them in the order of the execution, which is that of program
 * order, of who made and joined whom, and of all accesses that conflict.  A
 * graph of SC is one of C11, too: graph_unordered has its races by C11's order.
 */
#include "graph/graph.h"

struct races {
    const struct graph *g;
    const row *before; /* C11's happens-before */
    struct graph_race *to;
    size_t count, max;
};

static void put_race(struct races *r, int x, int y)
{
    if (r->count < r->max)
        r->to[r->count++] =
            (struct graph_race){r->g->events[x].before, r->g->events[y].before};
}

/* ---- On C11 ---- */

/* A round in vain that wrote what it found is a load to the search; to others
 * it is a write. */
static bool writes_in_vain(const struct graph_search *s,
                           const struct node_event *n)
{
    const struct op *op = behaviour_op(s->behaviour, n->before);

    return n->kind == NODE_RX &&
           (op->kind == OP_RMW ||
            (op->kind == OP_CAS && n->value == op->expected));
}

static bool changes(const struct graph_search *s, const struct node_event *n)
{
    return node_writes(n) || writes_in_vain(s, n);
}

/* Accesses of other threads to the same memory that do not come before e. */
static row unordered(const struct races *r, int e)
{
    const struct graph *g = r->g;
    const struct node_event *n = &g->events[e];

    return (g->writes[n->location] | g->reads[n->location]) &
           ~g->of_thread[n->thread] & ~r->before[e];
}

static bool is_race(const struct graph_search *s, const struct races *r, int x,
                    int y)
{
    const struct graph *g = r->g;

    return !row_has(r->before[y], x) &&
           (changes(s, &g->events[x]) || changes(s, &g->events[y]));
}

/* What touches memory that f frees, or frees it too, and does not come before
 * f. */
static row touches_freed(const struct graph_search *s, const struct races *r,
                         int f)
{
    const struct graph *g = r->g;
    const struct op *op = behaviour_op(s->behaviour, g->events[f].before);
    row all = row_none();
    int other;

    for (unsigned l = 0; l < g->location_count; l++) {
        if (s->covers(s->context, op, l))
            all |= g->writes[l] | g->reads[l];
    }
    ROW_EACH (other, g->frees & row_below(f))
        if (behaviour_op(s->behaviour, g->events[other].before)->operand ==
            op->operand)
            all |= row_of(other);
    return all & ~g->of_thread[g->events[f].thread] & ~r->before[f];
}

/* To free memory is to write all of it. */
static void find_races_of_frees(const struct graph_search *s, struct races *r)
{
    int f, x;

    ROW_EACH (f, r->g->frees)
        ROW_EACH (x, touches_freed(s, r, f))
            if (!row_has(r->before[x], f))
                put_race(r, x, f);
}

static void find_races(const struct graph_search *s, struct races *r)
{
    const struct graph *g = r->g;
    int x, y;

    ROW_EACH (x, g->plain)
        /* Of two plain ones the younger finds the older. */
        ROW_EACH (y, unordered(r, x) & (~g->plain | row_below(x)))
            if (is_race(s, r, x, y))
                put_race(r, y, x);
    find_races_of_frees(s, r);
}

/* ---- On SC ---- */

/* Accesses of other threads to the same memory that come before e and could
 * not be done in any order. */
static row conflicts(const struct graph *g, int e)
{
    const struct node_event *n = &g->events[e];
    row same = g->writes[n->location];

    if (node_writes(n))
        same |= g->reads[n->location];
    return same & g->before[e] & ~g->of_thread[n->thread] & ~g->ghosts;
}

/* Does nothing come after x and before y?  No part of a node comes before
 * another. */
static bool are_neighbours(const struct graph *g, int x, int y)
{
    int z;

    ROW_EACH (z, g->before[y])
        if (row_has(g->before[z], x))
            return false;
    return true;
}

static void find_races_on_sc(struct races *r)
{
    const struct graph *g = r->g;
    int x, y;

    for (y = 0; y < g->count; y++) {
        if (!node_accesses(&g->events[y]))
            continue;
        ROW_EACH (x, conflicts(g, y))
            if ((row_has(g->plain, x) || row_has(g->plain, y)) &&
                are_neighbours(g, x, y))
                put_race(r, x, y);
    }
}

/* ---- On processors ---- */

/* They have no data races; but a ghost that threads use in no order would not
 * be at once. */
static void find_ghosts(struct races *r)
{
    const struct graph *g = r->g;
    int x, y;

    ROW_EACH (y, g->ghosts) {
        const struct node_event *n = &g->events[y];
        row same = g->writes[n->location];

        if (node_writes(n))
            same |= g->reads[n->location];
        ROW_EACH (x, same & ~g->before[y] & ~g->of_thread[n->thread])
            if (!row_has(g->before[x], y))
                put_race(r, x, y);
    }
}

/* ---- C11's order of a graph of SC ----
 *
 * It is a function of the nodes and sources of events, each of which comes
 * after what it comes from.  Most graphs begin as the one before them, which
 * had no race: only what is new is looked at. */

struct happens {
    row done;
    row before[GRAPH_EVENTS_MAX];
    row released[GRAPH_EVENTS_MAX]; /* as in struct graph */
    row pending[GRAPH_EVENTS_MAX];
    int16_t release_fence[GRAPH_EVENTS_MAX]; /* the thread's last, or NONE */
    uint32_t node[GRAPH_EVENTS_MAX];
    int16_t rf[GRAPH_EVENTS_MAX];
};

static row happens_until(const struct happens *h, int e)
{
    return e < 0 ? row_none() : h->before[e] | row_of(e);
}

static void happens_read(const struct graph *g, struct happens *h, int e)
{
    int from = g->events[e].rf;

    if (from < 0 || row_has(g->plain, e))
        return;
    h->pending[e] |= h->released[from];
    if (order_acquires(g->events[e].order))
        h->before[e] |= h->released[from];
}

static void happens_write(const struct graph *g, struct happens *h, int e)
{
    const struct node_event *n = &g->events[e];

    if (row_has(g->plain, e))
        return;
    h->released[e] = order_releases(n->order)
                         ? happens_until(h, e)
                         : happens_until(h, h->release_fence[e]);
    if (n->kind == NODE_WX && g->events[n->mate].rf >= 0)
        h->released[e] |= h->released[g->events[n->mate].rf];
}

static void happens_at(const struct graph_search *s, const struct graph *g,
                       struct happens *h, int e);

/* A processor has fences of fencer.h as they are. */
static enum event_order order_of_fence(const struct graph_search *s,
                                       const struct node_event *n)
{
    unsigned bits =
        s->model->by_axioms ? behaviour_op(s->behaviour, n->before)->fence : 0;

    return bits && n->order != ORDER_RELAXED ? model_language_fence(bits)
                                             : n->order;
}

static void happens_other(const struct graph_search *s, const struct graph *g,
                          struct happens *h, int e)
{
    const struct node_event *n = &g->events[e];
    enum event_order order;

    if (n->kind == NODE_JOIN) {
        int end =
            graph_end_of(g, behaviour_op(s->behaviour, n->before)->thread);

        if (end >= 0)
            happens_at(s, g, h, end);
        h->before[e] |= happens_until(h, end);
    }
    if (n->kind != NODE_FENCE)
        return;
    order = order_of_fence(s, n);
    if (order_acquires(order))
        h->before[e] |= h->pending[e];
    if (order_releases(order))
        h->release_fence[e] = (int16_t)e;
}

static void happens_begin(const struct graph *g, struct happens *h, int e,
                          int from)
{
    bool own = from >= 0 && g->events[from].thread == g->events[e].thread;

    h->node[e] = g->events[e].before.ix;
    h->rf[e] = g->events[e].rf;
    h->before[e] = happens_until(h, from);
    h->released[e] = row_none();
    h->pending[e] = own ? h->pending[from] : row_none();
    h->release_fence[e] = own ? h->release_fence[from] : NONE;
}

/* After what it comes from: that may be younger, if the read was revisited. */
static void happens_at(const struct graph_search *s, const struct graph *g,
                       struct happens *h, int e)
{
    const struct node_event *n = &g->events[e];
    int from;

    if (row_has(h->done, e))
        return;
    h->done |= row_of(e);
    from = graph_predecessor(g, e);
    if (from >= 0)
        happens_at(s, g, h, from);
    if (node_reads(n) && n->rf >= 0)
        happens_at(s, g, h, n->rf);
    happens_begin(g, h, e, from);
    if (node_reads(n))
        happens_read(g, h, e);
    else if (node_writes(n))
        happens_write(g, h, e);
    else
        happens_other(s, g, h, e);
}

/* How many of the first events of the graph before are here with all that they
 * come from? */
static int same_events(const struct graph *g, const struct happens *h,
                       int count)
{
    int same = 0;

    while (same < count && same < g->count &&
           h->node[same] == g->events[same].before.ix &&
           h->rf[same] == g->events[same].rf)
        same++;
    for (int e = 0; e < same; e++) {
        if (h->rf[e] >= same) {
            same = e;
            e = -1;
        }
    }
    return same;
}

/* The younger of two finds the older. */
static void find_fresh_races(const struct graph_search *s, struct races *r,
                             int from)
{
    const struct graph *g = r->g;
    int x;

    for (int y = from; y < g->count && !r->count; y++) {
        row older;

        if (!node_accesses(&g->events[y]))
            continue;
        older = unordered(r, y) & row_below(y);
        if (!row_has(g->plain, y))
            older &= g->plain;
        ROW_EACH (x, older)
            if ((row_has(g->plain, x) || row_has(g->plain, y)) &&
                is_race(s, r, y, x))
                put_race(r, x, y);
    }
    find_races_of_frees(s, r);
}

/* Ghosts are not the program's. */
bool graph_unordered(struct graph_search *s, const struct graph *g,
                     struct graph_race *to)
{
    static struct happens h;
    struct races r = {.g = g, .before = h.before, .to = to, .max = 1};
    int from;

    if (row_any(g->bundles | g->claims | g->ghosts) ||
        !row_any(g->plain | g->frees))
        return false;
    from = same_events(g, &h, s->ordered);
    h.done = row_below(from);
    for (int e = from; e < g->count; e++)
        happens_at(s, g, &h, e);
    find_fresh_races(s, &r, from);
    s->ordered = r.count ? 0 : g->count;
    return r.count > 0;
}

/* ---- Asked for ---- */

size_t graph_races(const struct graph_search *s, const struct graph *g,
                   struct graph_race *to, size_t max)
{
    struct races r = {.g = g, .before = g->before, .to = to, .max = max};

    if (g->orders)
        find_ghosts(&r);
    else if (g->releases)
        find_races(s, &r);
    else
        find_races_on_sc(&r);
    return r.count;
}
