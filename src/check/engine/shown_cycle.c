/* SPDX-License-Identifier: MIT
 *
 * Why an execution in the order <M is not SC: a cycle of program order and of
 * conflicts, each access before the next.  Conflicts go forwards in <M, so a
 * cycle goes back by pairs that a thread did out of order:
 *
 *      <M:   b ... c   d ... a         a, b of one thread, a first
 *      cycle: a -po- b -conflict- c -po- d -conflict- a
 *
 * For each such pair the shortest way from b to a is looked for, breadth
 * first; the cycle with the fewest swapped pairs is shown, of these the
 * shortest, and of these the one whose pairs are close together.
 */
#include <string.h>

#include "engine/replay_inside.h"

#define PAIRS_MOST 4000 /* to look at */

struct graph {
    const struct trace *t;
    uint32_t *nodes; /* accesses, as numbers of the trace's events */
    uint32_t count;
    /* Per node and way of arriving at it, 0: by conflict, 1: by program
     * order: where from, as 2 * node + way; and steps so far, 0: not seen. */
    uint32_t *from, *steps;
    uint32_t *queue;
};

static const struct event *at(const struct graph *g, uint32_t node)
{
    return &g->t->events[g->nodes[node]];
}

static bool is_access(const struct event *e)
{
    switch (e->kind) {
    case EV_LOAD:
    case EV_STORE:
    case EV_RMW:
    case EV_CAS_FAIL:
    case EV_COMMIT:
        return !(e->flags & EVF_BUFFERED);
    default:
        return false;
    }
}

static bool conflict(const struct event *a, const struct event *b)
{
    return a->thread != b->thread && a->object == b->object &&
           a->offset < b->offset + b->size && b->offset < a->offset + a->size &&
           (event_writes(a) || event_writes(b));
}

static bool in_program_order(const struct event *a, const struct event *b)
{
    return a->thread == b->thread && a->index < b->index;
}

static void visit(struct graph *g, uint32_t *end, uint32_t state, uint32_t from)
{
    if (g->steps[state])
        return;
    g->steps[state] = g->steps[from] + 1;
    g->from[state] = from;
    g->queue[(*end)++] = state;
}

/* From the second of a pair to the first, which is reached by a conflict. */
static bool find_way(struct graph *g, uint32_t first, uint32_t second)
{
    uint32_t begin = 0, end = 0, goal = 2 * first;

    memset(g->steps, 0, 2 * g->count * sizeof(*g->steps));
    g->steps[2 * second + 1] = 1;
    g->queue[end++] = 2 * second + 1;
    while (begin < end && !g->steps[goal]) {
        uint32_t state = g->queue[begin++], node = state / 2;

        if (g->steps[state] > GOAL_NODES_MAX)
            break;
        for (uint32_t i = node + 1; i < g->count; i++)
            if (conflict(at(g, node), at(g, i)))
                visit(g, &end, 2 * i, state);
        for (uint32_t i = 0; i < g->count && !(state & 1); i++)
            if (in_program_order(at(g, node), at(g, i)))
                visit(g, &end, 2 * i + 1, state);
    }
    return g->steps[goal] && g->steps[goal] <= GOAL_NODES_MAX;
}

/* The way back from the first of the pair, in the order of the cycle. */
static void take_cycle(const struct graph *g, uint32_t first,
                       struct shown_cycle *c)
{
    uint32_t state = 2 * first;

    memset(c, 0, sizeof(*c));
    c->length = g->steps[state];
    for (uint32_t i = c->length; i-- > 0;) {
        uint32_t place = (i + 1) % c->length; /* the first comes first */

        c->events[place] = g->nodes[state / 2];
        c->pairs[place] = state & 1 ? GOAL_SECOND : GOAL_ALONE;
        if (i)
            state = g->from[state];
    }
    for (uint32_t i = 0; i < c->length; i++) {
        uint32_t next = (i + 1) % c->length;

        if (c->pairs[next] != GOAL_SECOND)
            continue;
        c->pairs[i] = GOAL_FIRST;
        if (c->events[next] < c->events[i])
            c->reordered |= 1u << i;
    }
}

/* How far apart in the program the swapped pairs are. */
static uint32_t distance(const struct trace *t, const struct shown_cycle *c)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < c->length; i++)
        if (c->reordered >> i & 1)
            sum += t->events[c->events[(i + 1) % c->length]].index -
                   t->events[c->events[i]].index;
    return sum;
}

static bool is_better(const struct trace *t, const struct shown_cycle *c,
                      const struct shown_cycle *than)
{
    int a = __builtin_popcount(c->reordered);
    int b = __builtin_popcount(than->reordered);

    if (!than->length || a != b)
        return !than->length || a < b;
    if (c->length != than->length)
        return c->length < than->length;
    return distance(t, c) < distance(t, than);
}

static void find_best(struct graph *g, struct shown_cycle *best)
{
    uint32_t looked = 0;

    for (uint32_t a = 0; a < g->count; a++)
        for (uint32_t b = 0; b < a && looked < PAIRS_MOST; b++) {
            struct shown_cycle c;

            if (!in_program_order(at(g, a), at(g, b)))
                continue;
            looked++;
            if (!find_way(g, a, b))
                continue;
            take_cycle(g, a, &c);
            if (is_better(g->t, &c, best))
                *best = c;
        }
}

/* ---- Fences ---- */

static bool only_reads(const struct event *e)
{
    return !event_writes(e);
}

/* An RMW is one: to order its load or its store is enough. */
static uint32_t fence_for(const struct event *first, const struct event *second)
{
    bool load = event_reads(first), to_load = event_reads(second);

    if (load && to_load)
        return FENCE_LL;
    if (!only_reads(first) && !only_reads(second))
        return FENCE_SS;
    return load ? FENCE_LS : FENCE_SL;
}

static void add_fences(struct shown *s)
{
    const struct trace *t = &s->trace;
    const struct shown_cycle *c = &s->cycle;

    for (uint32_t i = 0; i < c->length; i++) {
        const struct event *first = &t->events[c->events[i]];
        const struct event *second = &t->events[c->events[(i + 1) % c->length]];

        if (c->reordered >> i & 1 && s->fence_count < CHANNEL_FENCES_MAX)
            s->fences[s->fence_count++] =
                (struct channel_fence){first->site, fence_for(first, second)};
    }
}

void check_explain(struct shown *s)
{
    const struct trace *t = &s->trace;
    struct arena scratch = ARENA_INIT;
    struct graph g = {.t = t};

    g.nodes = arena_array(&scratch, t->event_count + 1, sizeof(*g.nodes));
    for (uint32_t i = 0; i < t->event_count; i++)
        if (is_access(&t->events[i]))
            g.nodes[g.count++] = i;
    g.from = arena_array(&scratch, 2 * g.count + 1, sizeof(*g.from));
    g.steps = arena_array(&scratch, 2 * g.count + 1, sizeof(*g.steps));
    g.queue = arena_array(&scratch, 2 * g.count + 1, sizeof(*g.queue));
    find_best(&g, &s->cycle);
    add_fences(s);
    arena_free(&scratch);
}
