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

/* What is known of the write of that number: as long as the write is there,
 * what comes before it stays as it is, and only values that late loads may read
 * can bring other ways. */
static struct {
    uint64_t age; /* of these, then */
    uint32_t note;
    uint32_t number; /* of the write, among those that ways name */
    struct late_ways ways;
} known[GRAPH_EVENTS_MAX];

static bool is_known(const struct graph *g, int write)
{
    return g->events[write].noted &&
           known[write].note == g->events[write].noted &&
           known[write].age == thread_orders_age(g->orders);
}

/* What the path says; its thread's operations alone have names that another
 * execution knows, too. */
static unsigned find_number(const struct graph *g, int write)
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

static unsigned number_of(const struct graph *g, int write)
{
    return is_known(g, write) ? known[write].number : find_number(g, write);
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

static void add_late(const struct graph *g, int read, struct late_ways *to)
{
    const struct node_event *n = &g->events[read];
    const struct late_value *values;
    unsigned count = thread_orders_late_values(g->orders, n->location, &values);
    struct late_ways any;

    any.count = 0;
    for (unsigned i = 0; i < count; i++)
        if (values[i].value == n->value && values[i].thread != n->thread)
            late_ways_unite(g->orders, &any, &values[i].ways);
    late_ways_join(g->orders, to, &any);
}

static const struct late_ways *ways_of(struct graph *g, int write, int half);

static void find_ways(struct graph *g, int write, int half,
                      struct late_ways *to)
{
    row guards = guards_of(g, write, half);
    int e;

    ROW_EACH (e, guards) {
        const struct node_event *n = &g->events[e];

        if (node_writes(n))
            late_ways_add(g->orders, to, number_of(g, e), false);
        else if (is_late(n))
            add_late(g, e, to);
        else if (node_reads(n) && n->rf >= 0 &&
                 g->events[n->rf].thread != n->thread)
            late_ways_join(g->orders, to,
                           ways_of(g, n->rf, g->events[n->rf].mate));
    }
    late_ways_add(g->orders, to, number_of(g, write), true);
}

/* Known from now on. */
static const struct late_ways *ways_of(struct graph *g, int write, int half)
{
    struct late_ways *to = &known[write].ways;

    if (is_known(g, write))
        return to;
    late_ways_begin(to);
    if (g->events[write].parts == 1) /* else whatever it comes of */
        find_ways(g, write, half, to);
    if (!g->events[write].noted)
        g->events[write].noted = thread_orders_number_note(g->orders);
    known[write].note = g->events[write].noted;
    known[write].age = thread_orders_age(g->orders);
    known[write].number = find_number(g, write);
    return to;
}

void rules_note_write_late(struct graph *g, int write, int half)
{
    const struct node_event *n = &g->events[write];
    struct late_value value = {.value = n->value, .thread = n->thread};

    late_ways_copy(&value.ways, ways_of(g, write, half));
    if (value.ways.count)
        thread_orders_note_value(g->orders, n->location, &value);
}
