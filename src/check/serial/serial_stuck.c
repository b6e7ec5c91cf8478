/* SPDX-License-Identifier: MIT
 *
 * Serial executions that do not come to their end: in some state every thread
 * that has not finished waits in its next operation.  A data type may mean it
 * so, as a queue whose take waits for somebody to put; then concurrent
 * executions may be stuck in the same way (Burckhardt, Dern, Musuvathi and Tan,
 * Line-Up, PLDI 2010).
 */
#include <stdlib.h>
#include <string.h>

#include "serial/serial.h"
#include "serial/serial_inside.h"

struct search {
    struct states states;
    const struct serial_stuck *wanted;
    const int64_t **values; /* per thread of the test */
    VEC(bool) visited;      /* per node */
};

static bool visit(struct search *s, uint32_t node)
{
    bool *visited = VEC_REACH(&s->visited, node);

    if (*visited)
        return false;
    return *visited = true;
}

/* Thread 0 is the initialisation, and of no interest. */
static bool fits(const struct search *s, const struct node *n,
                 const struct edge *e)
{
    uint32_t at = node_observed(n, e->thread), t = e->thread - 1;

    if (e->thread == 0)
        return true;
    if (node_done(n, e->thread) >= s->wanted->done[t] ||
        at + e->count > s->wanted->counts[t])
        return false;
    return e->count == 0 || memcmp(s->values[t] + at, e->values,
                                   e->count * sizeof(*e->values)) == 0;
}

/* Nobody can go on, and all that have not finished wait. */
static bool is_stuck(const struct search *s, const struct node *n)
{
    const struct states *g = &s->states;
    uint32_t left = 0;

    if (n->final || n->edge_count || n->failed ||
        node_done(n, 0) < g->call_counts[0])
        return false;
    for (uint32_t t = 1; t < g->thread_count; t++) {
        if (node_done(n, t) != s->wanted->done[t - 1] ||
            node_observed(n, t) != s->wanted->counts[t - 1])
            return false;
        left += node_done(n, t) < g->call_counts[t];
    }
    return n->blocked == left;
}

static bool reach(struct search *s, uint32_t node)
{
    struct states *g = &s->states;

    if (!visit(s, node) || !states_expand(g, node))
        return false;
    if (is_stuck(s, &g->nodes.list[node]))
        return true;
    for (uint32_t i = 0; i < g->nodes.list[node].edge_count; i++) {
        const struct edge *e = &g->nodes.list[node].edges[i];

        if (fits(s, &g->nodes.list[node], e) && reach(s, e->to))
            return true;
    }
    return false;
}

bool serial_waits(const struct lsl_program *p, const struct test *t,
                  const struct serial_stuck *wanted)
{
    struct arena scratch = ARENA_INIT;
    struct search s = {.wanted = wanted};
    const int64_t *values = wanted->values;
    struct err e;
    bool found;

    states_init(&s.states, p, t, &scratch, &e);
    s.values = arena_array(&scratch, t->thread_count + 1, sizeof(*s.values));
    for (uint32_t i = 0; i < t->thread_count; i++) {
        s.values[i] = values;
        values += wanted->counts[i];
    }
    found = reach(&s, 0);
    VEC_FREE(&s.visited);
    states_fini(&s.states);
    arena_free(&scratch);
    return found;
}
