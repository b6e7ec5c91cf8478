/* SPDX-License-Identifier: MIT
 *
 * Data races: two accesses to the same memory by different threads, of which
 * one writes and one is not atomic.  On C11 they race if neither happens before
 * the other.  On SC they do if they could be done at the same time: if nothing
 * lies between them in the order of the execution, which is that of program
 * order, of who made and joined whom, and of all accesses that conflict.
 */
#include "graph/graph.h"

struct races {
    const struct graph *g;
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
static row unordered(const struct graph *g, int e)
{
    const struct node_event *n = &g->events[e];

    return (g->writes[n->location] | g->reads[n->location]) &
           ~g->of_thread[n->thread] & ~g->before[e];
}

static bool is_race(const struct graph_search *s, const struct graph *g, int x,
                    int y)
{
    return !row_has(g->before[y], x) &&
           (changes(s, &g->events[x]) || changes(s, &g->events[y]));
}

/* What touches memory that f frees, or frees it too, and does not come before
 * f. */
static row touches_freed(const struct graph_search *s, const struct graph *g,
                         int f)
{
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
    return all & ~g->of_thread[g->events[f].thread] & ~g->before[f];
}

/* To free memory is to write all of it. */
static void find_races_of_frees(const struct graph_search *s, struct races *r)
{
    int f, x;

    ROW_EACH (f, r->g->frees)
        ROW_EACH (x, touches_freed(s, r->g, f))
            if (!row_has(r->g->before[x], f))
                put_race(r, x, f);
}

static void find_races(const struct graph_search *s, struct races *r)
{
    const struct graph *g = r->g;
    int x, y;

    ROW_EACH (x, g->plain)
        ROW_EACH (y, unordered(g, x))
            /* Of two plain ones the younger finds the older. */
            if (!(row_has(g->plain, y) && y > x) && is_race(s, g, x, y))
                put_race(r, y, x);
    find_races_of_frees(s, r);
}

/* ---- On SC ---- */

/* `volatile` is taken for a word to the machine there. */
static bool is_plain(const struct graph_search *s, const struct graph *g, int e)
{
    return row_has(g->plain, e) &&
           behaviour_op(s->behaviour, g->events[e].before)->order ==
               ORDER_PLAIN;
}

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

static void find_races_on_sc(const struct graph_search *s, struct races *r)
{
    const struct graph *g = r->g;
    int x, y;

    for (y = 0; y < g->count; y++) {
        if (!node_accesses(&g->events[y]))
            continue;
        ROW_EACH (x, conflicts(g, y))
            if ((is_plain(s, g, x) || is_plain(s, g, y)) &&
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

size_t graph_races(const struct graph_search *s, const struct graph *g,
                   struct graph_race *to, size_t max)
{
    struct races r = {.g = g, .to = to, .max = max};

    if (g->orders)
        find_ghosts(&r);
    else
        (g->releases ? find_races : find_races_on_sc)(s, &r);
    return r.count;
}
