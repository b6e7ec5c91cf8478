/* SPDX-License-Identifier: MIT
 *
 * C11 has no machine that could take a graph's events one after the other, so
 * they are told as they are: in an order of po and rf, each with what it reads
 * and where it stands in co.  An access of several parts is told part by part.
 */
#include <string.h>

#include "event/must.h"
#include "graph/graph.h"

/* ---- An order ---- */

struct teller {
    const struct graph_search *search;
    const struct graph *g;
    struct graph_told *to;
    size_t count, max;
    row left;
    row late; /* they read what is told after them (graph_late.c) */
    uint32_t place[GRAPH_EVENTS_MAX];
    uint32_t number[GRAPH_EVENTS_MAX];      /* + 1, in the list */
    uint32_t last[GRAPH_LOCATIONS_MAX];     /* of co: number + 1 */
    uint32_t count_of[GRAPH_LOCATIONS_MAX]; /* writes */
};

static struct graph_told *put(struct teller *t, behaviour_node node,
                              uint64_t value)
{
    struct graph_told *told = &t->to[t->count++];

    MUST(t->count <= t->max);
    *told = (struct graph_told){.node = node, .value = value};
    return told;
}

static row there(const struct teller *t, unsigned location)
{
    return t->g->writes[location] & ~t->left;
}

/* Does it find memory as it is, and leave it as it stays for now? */
static bool is_clean(const struct teller *t, int e)
{
    const struct graph *g = t->g;
    const struct node_event *n = &g->events[e];

    if (node_reads(n))
        return !row_any(graph_co_after(g, n->rf, n->location) &
                        there(t, n->location));
    return !node_writes(n) || !row_any(g->writes[n->location] & t->left &
                                       ~g->co_after[e] & ~row_of(e));
}

/* Reads that find memory as it is first: what comes late looks odd. */
static int weight(const struct teller *t, int e)
{
    bool reads = node_reads(&t->g->events[e]);

    return is_clean(t, e) ? (reads ? 0 : 1) : (reads ? 3 : 2);
}

static int next_event(const struct teller *t)
{
    int best = NONE, best_weight = 4, e;

    ROW_EACH (e, t->left) {
        if (row_any(t->g->porf[e] & t->left & ~graph_bundle(t->g, e)) ||
            weight(t, e) >= best_weight)
            continue;
        best = e;
        best_weight = weight(t, e);
    }
    MUST(best != NONE);
    return best;
}

static uint32_t place_in_co(const struct graph *g, int write)
{
    row before = g->writes[g->events[write].location] & ~g->co_after[write];

    return (uint32_t)row_count(before);
}

static void put_part(struct teller *t, int e)
{
    const struct graph *g = t->g;
    const struct node_event *n = &g->events[e];
    int write = node_writes(n) ? e : n->mate;
    struct graph_told *told = put(t, n->before, n->value);

    told->order = n->order;
    told->part = n->part;
    if (node_reads(n) && n->rf >= 0)
        told->from = t->number[n->rf];
    if (node_reads(n) && n->rf >= 0 && row_has(t->left, n->rf))
        t->late |= row_of(e);
    t->place[e] = (uint32_t)t->count - 1;
    t->number[e] = (uint32_t)t->count;
    t->left &= ~row_of(e);
    if (write < 0)
        return;
    told->wrote = g->events[write].value;
    told->co = place_in_co(g, write);
    t->number[write] = (uint32_t)t->count;
    t->left &= ~row_of(write);
}

static void put_event(struct teller *t, int e)
{
    int first = e - t->g->events[e].part;

    for (int i = 0; i < t->g->events[e].parts; i++)
        put_part(t, first + i);
}

/* ---- Effects ---- */

/* Nothing that comes before it is left; of these the one told first. */
static int next_effect(const struct teller *t, row left)
{
    int best = NONE, e;

    ROW_EACH (e, left)
        if (!row_any(t->g->before[e] & left & ~row_of(e)) &&
            (best == NONE || t->number[e] < t->number[best]))
            best = e;
    MUST(best != NONE);
    return best;
}

/* In the model's order, which knows the dependencies; else as they are told, so
 * that what is late is late for a reason.  An RMW takes effect with its store.
 */
static void put_effects(struct teller *t)
{
    row left = row_below(t->g->count);

    for (uint32_t place = 1; row_any(left); place++) {
        int e = next_effect(t, left);

        t->to[t->number[e] - 1].effect = place;
        left &= ~row_of(e);
    }
}

/* ---- The last thread ---- */

static void leave_memory(struct teller *t)
{
    const struct graph *g = t->g;

    memset(t->last, 0, sizeof t->last);
    memset(t->count_of, 0, sizeof t->count_of);
    for (unsigned l = 0; l < g->location_count; l++) {
        int last = graph_co_last(g, l);

        if (last < 0)
            continue;
        t->last[l] = t->number[last];
        t->count_of[l] = (uint32_t)row_count(g->writes[l]);
    }
}

static void split(struct behaviour *b, const struct op *op, uint64_t value,
                  uint64_t parts[OP_PARTS_MAX])
{
    parts[0] = value;
    if (op_parts(op) > 1)
        behaviour_split(b, op, value, parts);
}

/* One part of an access that turned out so. */
static void put_lone_part(struct teller *t, struct graph_told *told,
                          const struct op *op, const struct effect *effect,
                          uint64_t written)
{
    unsigned location = op->location + told->part;

    if (op->kind != OP_STORE) {
        told->order = effect->order;
        told->from = t->last[location];
    }
    if (op->kind == OP_LOAD || !effect->writes)
        return;
    told->wrote = written;
    told->co = ++t->count_of[location];
    t->last[location] = (uint32_t)t->count;
}

/* What the thread did alone, by the value that it returned. */
static void put_lone(struct teller *t, behaviour_node node, uint64_t value)
{
    struct behaviour *b = t->search->behaviour;
    const struct op *op = behaviour_op(b, node);
    struct effect effect = {.writes = 1, .written = op->operand};
    uint64_t values[OP_PARTS_MAX], written[OP_PARTS_MAX];

    if (op->kind <= OP_SYNC && op->kind != OP_STORE)
        effect = behaviour_effect(b, node, value);
    split(b, op, value, values);
    split(b, op, effect.written, written);
    for (unsigned i = 0; i < op_parts(op) && t->count < t->max; i++) {
        struct graph_told *told = put(t, node, values[i]);

        told->effect =
            t->search->orders ? (uint32_t)(t->g->count + (int)t->count) : 0;
        told->order = op->order;
        told->part = (uint8_t)i;
        if (op->kind <= OP_SYNC)
            put_lone_part(t, told, op, &effect, written[i]);
    }
}

/* From the root of its thread. */
static unsigned depth_of(const struct behaviour *b, behaviour_node node)
{
    unsigned depth = 0;

    while ((node = behaviour_parent(b, node)).ix)
        depth++;
    return depth;
}

/* Operations of the thread that are events, or were there before all. */
static unsigned known_operations(const struct teller *t, unsigned thread)
{
    const struct graph *g = t->g;
    const struct behaviour *b = t->search->behaviour;
    behaviour_node node = {b->roots[thread]};
    unsigned count = 0;
    int last = graph_last_of(g, thread);

    if (last >= 0)
        return depth_of(b, g->events[last].before) + 1;
    while (!thread && behaviour_op(b, node)->kind == OP_CREATE) {
        node = behaviour_step(t->search->behaviour, node, 0);
        count++;
    }
    return count;
}

static void put_lone_thread(struct teller *t, unsigned thread)
{
    const struct behaviour *b = t->search->behaviour;
    behaviour_node end = t->g->at[thread];
    unsigned depth = depth_of(b, end);

    leave_memory(t);
    for (unsigned at = known_operations(t, thread);
         at < depth && t->count < t->max; at++) {
        behaviour_node node = end;

        for (unsigned i = depth; i > at + 1; i--)
            node = behaviour_parent(b, node);
        put_lone(t, behaviour_parent(b, node), b->entries[node.ix].value);
    }
}

size_t graph_tell(const struct graph_search *s, const struct graph *g,
                  struct graph_told *to, size_t max)
{
    struct teller t = {
        .search = s, .g = g, .to = to, .max = max, .left = row_below(g->count)};
    int e;

    t.late = row_none();
    while (row_any(t.left))
        put_event(&t, next_event(&t));
    ROW_EACH (e, t.late)
        to[t.place[e]].from = t.number[g->events[e].rf];
    if (s->orders)
        put_effects(&t);
    if (s->last_thread >= 0)
        put_lone_thread(&t, (unsigned)s->last_thread);
    return t.count;
}
