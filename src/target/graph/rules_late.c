/* SPDX-License-Identifier: MIT
 *
 * What a write of a graph comes of, for those who may read it late
 * (thread_order_ways.c): the writes of its thread that the model puts before
 * it, what the reads that it puts before it read from others, and so on.  A
 * load that is late itself reads what was met elsewhere.  A load that reads a
 * store of its own thread may do so before that takes effect: nothing comes of
 * that.
 */
#include "event/must.h"
#include "graph/rules.h"

struct coming {
    struct graph *g;
    row known;
};

static struct late_ways ways_of[GRAPH_EVENTS_MAX]; /* of what is known */

/* What the path says; its thread's operations alone have names that another
 * execution knows, too. */
static unsigned number_of(const struct graph *g, int write)
{
    const struct node_event *n = &g->events[write];
    const struct op *op = behaviour_op(g->behaviour, n->before);
    struct late_write w = {.thread = n->thread,
                           .location = n->location,
                           .site = op->site,
                           .value = n->value};
    int e;

    if (op->kind > OP_CAS || n->parts > 1)
        return LATE_UNKNOWN;
    ROW_EACH (e, g->writes[n->location] & graph_po_before(g, write))
        w.turn +=
            behaviour_op(g->behaviour, g->events[e].before)->site == op->site;
    return thread_orders_write(g->orders, &w);
}

/* Events of its thread that the model puts before the write. */
static row guards_of(const struct graph *g, int write, int half)
{
    static const struct effect writes = {.writes = 1};
    const struct node_event *n = &g->events[write];
    struct effect effect = half < 0 ? writes : rules_effect_of(g, half);
    const struct thread_step *s =
        thread_order_of(g->orders, n->before, &effect);
    row own = graph_po_before(g, write);
    row all = half >= 0 && s->one_node ? row_of(half) : row_none();
    int shift = s->events + (half >= 0) - row_count(own);

    if (shift < 0)
        return all; /* the path was too long */
    return all |
           rules_at_numbers(
               own, thread_orders_guards(g->orders, n->before, &effect), shift);
}

static bool is_late(const struct node_event *n)
{
    return n->kind == NODE_CHOICE && n->rf == LATE;
}

static void add_late(const struct coming *x, int read, struct late_ways *to)
{
    const struct node_event *n = &x->g->events[read];
    const struct late_value *values;
    unsigned count =
        thread_orders_late_values(x->g->orders, n->location, &values);
    struct late_ways any;

    any.count = 0;
    for (unsigned i = 0; i < count; i++)
        if (values[i].value == n->value && values[i].thread != n->thread)
            late_ways_unite(x->g->orders, &any, &values[i].ways);
    late_ways_join(x->g->orders, to, &any);
}

static void find_ways(struct coming *x, int write, int half)
{
    struct graph *g = x->g;
    struct late_ways *to = &ways_of[write];
    row guards;
    int e;

    late_ways_begin(to);
    x->known |= row_of(write);
    if (g->events[write].parts > 1)
        return; /* whatever it comes of */
    guards = guards_of(g, write, half);
    ROW_EACH (e, guards) {
        const struct node_event *n = &g->events[e];

        if (node_writes(n)) {
            late_ways_add(g->orders, to, number_of(g, e), false);
        } else if (is_late(n)) {
            add_late(x, e, to);
        } else if (node_reads(n) && n->rf >= 0 &&
                   g->events[n->rf].thread != n->thread) {
            if (!row_has(x->known, n->rf))
                find_ways(x, n->rf, g->events[n->rf].mate);
            late_ways_join(g->orders, to, &ways_of[n->rf]);
        }
    }
    late_ways_add(g->orders, to, number_of(g, write), true);
}

void rules_note_write_late(struct graph *g, int write, int half)
{
    const struct node_event *n = &g->events[write];
    struct late_value value;
    struct coming x = {g, row_none()};

    find_ways(&x, write, half);
    value.value = n->value;
    value.thread = n->thread;
    late_ways_copy(&value.ways, &ways_of[write]);
    if (value.ways.count)
        thread_orders_note_value(g->orders, n->location, &value);
}
