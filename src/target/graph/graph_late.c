/* SPDX-License-Identifier: MIT
 *
 * Executions with a cycle of po and rf: load buffering.  A search adds events
 * in program order, each after what it reads, so it has none of these.  But
 * take such an execution, and let the loads that close its cycles *choose*
 * their values: what is left has no cycle, and is an execution of a program in
 * which these loads are choices.  So that program is explored, as any other,
 * with every value that such a load might read (thread_order_late.c).  Where a
 * graph cannot grow its late loads get sources, in every way, and the graph is
 * judged as a whole (struct rules).  What is not out of thin air is left: a
 * value that comes of itself is a cycle of the model's order.
 *
 * Of an RMW that is late the read is a choice and the write a store, until
 * then.
 *
 * Which loads of an execution are late is to be the same whenever it comes up,
 * so that it counts once.  The events are numbered in the model's order, the
 * lowest thread first; late are those loads on a cycle whose thread does some
 * later write of that cycle before what they read.  Every cycle has one: else
 * its writes would have larger and larger numbers.  (Decision 23.)
 */
#include <string.h>

#include "graph/graph_search_inside.h"

#define LATE_MAX 16 /* such loads in one execution */

static bool is_late(const struct node_event *n)
{
    return n->kind == NODE_CHOICE && n->rf == LATE;
}

/* ---- Going forward ---- */

bool walk_is_half_late(const struct graph *g, unsigned thread)
{
    int last = graph_last_of(g, thread);

    return last >= 0 && is_late(&g->events[last]) &&
           g->events[last].before.ix == g->at[thread].ix;
}

struct op walk_late_write(const struct walk *w, const struct graph *g,
                          unsigned thread)
{
    struct behaviour *b = w->search->behaviour;
    struct op op = *walk_next_op(w, g, thread);
    const struct node_event *n = &g->events[graph_last_of(g, thread)];
    struct effect effect = behaviour_effect(b, n->before, n->value);

    op.kind = OP_STORE;
    op.operand = effect.written;
    op.order = effect.order;
    return op;
}

static void add_late(struct walk *w, struct graph *g, unsigned thread,
                     uint64_t value)
{
    struct behaviour *b = w->search->behaviour;
    behaviour_node at = g->at[thread];
    int e = graph_push(g, thread, NODE_CHOICE, walk_next_op(w, g, thread));

    w->search->counts.events++;
    g->events[e].rf = LATE;
    g->events[e].value = value;
    if (!behaviour_writes(b, at, value))
        walk_come_to(w->search, g, thread, behaviour_step(b, at, value));
}

static int count_late(const struct graph *g)
{
    int count = 0;

    for (int e = 0; e < g->count; e++)
        count += is_late(&g->events[e]);
    return count;
}

/* An object in that state makes it wait. */
static bool cannot_read(struct walk *w, const struct graph *g, unsigned thread,
                        uint64_t value)
{
    return walk_next_op(w, g, thread)->kind == OP_SYNC &&
           walk_blocks(w, g->at[thread], value);
}

static bool comes_before_all(struct walk *w, behaviour_node at, uint64_t value)
{
    struct graph_search *s = w->search;
    struct effect effect = {.writes = 0};

    if (behaviour_op(s->behaviour, at)->kind != OP_LOAD)
        effect = behaviour_effect(s->behaviour, at, value);
    return thread_orders_shields(s->orders, at, &effect);
}

static void try_late(struct walk *w, int level, unsigned thread, uint64_t value)
{
    if (comes_before_all(w, w->levels[level].at[thread], value) ||
        !walk_begin_child(w))
        return;
    walk_begin_try(w, level);
    add_late(w, &w->levels[level], thread, value);
    walk_take(w, level, true);
    walk_undo_try(w, level);
    walk_end_child(w);
}

/* Until all values are met an RMW may be late with one that nobody wrote: what
 * it takes away from others by reading may be what they need to write the
 * first. */
static bool wants_any_value(const struct walk *w, const struct op *op)
{
    return !w->search->ended && op->kind != OP_LOAD;
}

/* Others may write the same. */
static bool is_first_of_value(const struct late_value *values, unsigned i,
                              unsigned thread)
{
    if (values[i].thread == thread)
        return false;
    for (unsigned k = 0; k < i; k++)
        if (values[k].value == values[i].value && values[k].thread != thread)
            return false;
    return true;
}

void walk_try_late(struct walk *w, int level, unsigned thread)
{
    const struct op *op = walk_next_op(w, &w->levels[level], thread);
    const struct late_value *values = NULL;
    uint64_t initial;
    unsigned count;
    bool any = wants_any_value(w, op);

    if (!thread_orders_may_be_late(w->search->orders, op))
        return;
    if (count_late(&w->levels[level]) == LATE_MAX) {
        thread_orders_lose_late(w->search->orders);
        return;
    }
    count = thread_orders_late_values(w->search->orders, op->location, &values);
    for (unsigned i = 0; i < count; i++) {
        if (!is_first_of_value(values, i, thread) ||
            cannot_read(w, &w->levels[level], thread, values[i].value))
            continue;
        any = false;
        try_late(w, level, thread, values[i].value);
    }
    initial = walk_value(w, &w->levels[level], INITIAL, op->location);
    if (any && !cannot_read(w, &w->levels[level], thread, initial))
        try_late(w, level, thread, initial);
}

/* ---- With sources ---- */

/* One more event is a read as others are, but that its source is not in its
 * prefix. */
static void make_read(const struct walk *w, struct graph *g, int e, int source)
{
    struct node_event *n = &g->events[e];
    const struct op *op = behaviour_op(w->search->behaviour, n->before);

    n->kind = op->kind == OP_LOAD ? NODE_R : NODE_RX;
    n->rf = (int16_t)source;
    g->loads |= row_of(e);
    g->prompt |= row_of(e);
    if (op->kind == OP_LOAD && op_is_plain(op))
        g->plain |= row_of(e);
    if (op->kind != OP_LOAD) {
        struct effect effect =
            behaviour_effect(w->search->behaviour, n->before, n->value);

        g->rmws |= row_of(e);
        graph_set_effect(g, e, &effect);
    }
    g->reads[n->location] |= row_of(e);
    g->readers[source] |= row_of(e);
}

static void make_halves(struct graph *g, row late)
{
    for (int e = 0; e < g->count; e++) {
        struct node_event *n = &g->events[e];

        if (n->kind != NODE_W || n->mate < 0 || !row_has(late, n->mate))
            continue;
        n->kind = NODE_WX;
        n->order = g->events[n->mate].order;
        n->construct = g->events[n->mate].construct;
        g->rmws |= row_of(e);
        g->plain &= ~row_of(e);
        graph_join_halves(g, n->mate, e);
        g->halves &= ~(row_of(e) | row_of(n->mate));
    }
}

/* ---- Which are late ---- */

/* Places of all events in the order, lowest thread first. */
static void number_events(const struct graph *g, int *number)
{
    row left = row_below(g->count);

    for (int next = 0; row_any(left); next++) {
        int best = NONE, e;

        ROW_EACH (e, left) {
            if (row_any(g->before[e] & left & ~row_of(e)))
                continue;
            if (best == NONE || g->events[e].thread < g->events[best].thread)
                best = e;
        }
        MUST(best != NONE);
        number[best] = next;
        left &= ~row_of(best);
    }
}

/* What comes before each by po and rf, also by way of cycles. */
static void close_porf(const struct graph_search *s, const struct graph *g,
                       row *porf)
{
    for (int e = 0; e < g->count; e++) {
        const struct node_event *n = &g->events[e];
        int by = graph_predecessor(g, e);

        porf[e] = by >= 0 ? row_of(by) : row_none();
        if (node_reads(n) && n->rf >= 0)
            porf[e] |= row_of(n->rf);
        if (n->kind == NODE_JOIN)
            porf[e] |=
                g->of_thread[behaviour_op(s->behaviour, n->before)->thread];
    }
    for (int k = 0; k < g->count; k++)
        for (int e = 0; e < g->count; e++)
            if (row_has(porf[e], k))
                porf[e] |= porf[k];
}

/* Does its thread write anything after it that others read on the way to what
 * it reads, and that has a smaller number? */
static bool does_before(const struct graph *g, int read, const int *number,
                        const row *porf)
{
    int source = g->events[read].rf, e;
    row own = g->of_thread[g->events[read].thread];

    ROW_EACH (e, own & ~row_below(read + 1) & porf[source])
        if (node_writes(&g->events[e]) && number[e] < number[source] &&
            row_any(g->readers[e] & porf[source] & ~own))
            return true;
    return false;
}

/* The loads that are to be late in that execution. */
static row late_of(const struct graph_search *s, const struct graph *g)
{
    int number[GRAPH_EVENTS_MAX];
    row porf[GRAPH_EVENTS_MAX], late = row_none();

    number_events(g, number);
    close_porf(s, g, porf);
    for (int e = 0; e < g->count; e++) {
        const struct node_event *n = &g->events[e];

        if (node_reads(n) && n->rf >= 0 &&
            g->events[n->rf].thread != n->thread && row_has(porf[n->rf], e) &&
            does_before(g, e, number, porf))
            late |= row_of(e);
    }
    return late;
}

/* ---- Graphs that cannot grow ---- */

struct sourcing {
    struct walk *walk;
    const struct graph *from;
    enum graph_end end;
    int count;
    int reads[LATE_MAX], sources[LATE_MAX];
    row late;
};

/* Until now nobody knew that such loads may read it (extend_read). */
static void look_at_unwritten(struct walk *w, const struct graph *g)
{
    struct graph_search *s = w->search;

    for (int e = 0; e < g->count; e++) {
        const struct node_event *n = &g->events[e];
        const struct op *op = behaviour_op(s->behaviour, n->before);

        if (n->kind == NODE_R && n->rf == INITIAL && walk_is_unwritten(w, op))
            s->reads_unwritten(s->context, op, n->thread);
    }
}

static void take_execution(const struct sourcing *x)
{
    static struct graph g; /* large */
    struct walk *w = x->walk;
    struct graph_search *s = w->search;

    graph_copy(&g, x->from);
    for (int i = 0; i < x->count; i++)
        make_read(w, &g, x->reads[i], x->sources[i]);
    make_halves(&g, x->late);
    if (!s->rules->judge(&g) || row_any(late_of(s, &g) ^ x->late))
        return;
    g.failed = NONE;
    look_at_unwritten(w, &g);
    walk_look_at_frees(w, &g);
    if (!s->ended(s->context, &g, g.failed == NONE ? x->end : GRAPH_FAILED))
        s->stop = true;
}

/* Every source for the late loads from i on. */
static void give_sources(struct sourcing *x, int i)
{
    const struct graph *g = x->from;
    const struct node_event *n;
    int w;

    if (i == x->count) {
        take_execution(x);
        return;
    }
    n = &g->events[x->reads[i]];
    ROW_EACH (w, g->writes[n->location]) {
        if (g->events[w].value != n->value ||
            g->events[w].thread == n->thread || x->walk->search->stop)
            continue;
        x->sources[i] = w;
        give_sources(x, i + 1);
    }
}

void walk_end_late(struct walk *w, const struct graph *g, enum graph_end end)
{
    struct sourcing x = {.walk = w, .from = g, .end = end, .late = row_none()};

    if (!w->search->ended)
        return; /* only what threads do is asked for */
    for (int e = 0; e < g->count; e++) {
        if (!is_late(&g->events[e]))
            continue;
        x.reads[x.count++] = e;
        x.late |= row_of(e);
    }
    if (x.count)
        give_sources(&x, 0);
}
