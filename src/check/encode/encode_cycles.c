/* SPDX-License-Identifier: MIT
 *
 * Cycles of a solution's graph, and the order when there are none.  For each
 * edge between threads that lies on a cycle, the cycle with the fewest such
 * edges is forbidden.  Each thread's part of the cycle is written with as few
 * literals as possible, since a short clause forbids more.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "encode/encode_graph.h"

#define CYCLES_MAX 64 /* of one solution */

struct search {
    struct graph *g;
    uint32_t *component; /* of each vertex: those on cycles share one */
    uint32_t *via;       /* edge + 1 by which the search came */
    uint32_t *distance;
    uint32_t *queue; /* twice as long as needed, filled from the middle */
    bool *used;      /* edges that are in a forbidden cycle */
};

/* ---- Strong components (Tarjan) ---- */

struct tarjan {
    const struct graph *g;
    uint32_t *low, *index, *stack, *edge, *path, *component;
    bool *on_stack;
    uint32_t stack_count, path_count, next, components;
};

static void enter(struct tarjan *t, uint32_t v)
{
    t->low[v] = t->index[v] = ++t->next;
    t->stack[t->stack_count++] = v;
    t->on_stack[v] = true;
    t->edge[v] = t->g->v.list[v].edges;
    t->path[t->path_count++] = v;
}

static void leave(struct tarjan *t, uint32_t v)
{
    t->path_count--;
    if (t->path_count) {
        uint32_t parent = t->path[t->path_count - 1];

        if (t->low[v] < t->low[parent])
            t->low[parent] = t->low[v];
    }
    if (t->low[v] != t->index[v])
        return;
    t->components++;
    for (;;) {
        uint32_t w = t->stack[--t->stack_count];

        t->on_stack[w] = false;
        t->component[w] = t->components;
        if (w == v)
            return;
    }
}

static void visit(struct tarjan *t, uint32_t root)
{
    enter(t, root);
    while (t->path_count) {
        uint32_t v = t->path[t->path_count - 1];

        if (!t->edge[v]) {
            leave(t, v);
            continue;
        }
        const struct edge *e = &t->g->e.list[t->edge[v] - 1];

        t->edge[v] = e->next;
        if (!t->index[e->to])
            enter(t, e->to);
        else if (t->on_stack[e->to] && t->index[e->to] < t->low[v])
            t->low[v] = t->index[e->to];
    }
}

/* Numbers the components; true if there are as many as vertices. */
static bool find_components(const struct graph *g, uint32_t *component)
{
    size_t n = g->v.count + 1;
    uint32_t *room = calloc(5 * n, sizeof *room);
    struct tarjan t = {.g = g,
                       .low = room,
                       .index = room + n,
                       .stack = room + 2 * n,
                       .edge = room + 3 * n,
                       .path = room + 4 * n,
                       .component = component,
                       .on_stack = calloc(n, sizeof(bool))};

    CHECK(room && t.on_stack);
    for (uint32_t v = 0; v < g->v.count; v++) {
        if (!t.index[v])
            visit(&t, v);
    }
    free(room);
    free(t.on_stack);
    return t.components == g->v.count;
}

/* ---- Shortest cycles ---- */

/* Of those within a thread, only a torn load's lead backwards, and every cycle
 * has one of these or crosses. */
static bool leads_back(const struct graph *g, uint32_t from,
                       const struct edge *e)
{
    return g->x->torn.count && e->why[0] && e->to < from;
}

static bool crosses(const struct graph *g, uint32_t from, const struct edge *e)
{
    return g->v.list[from].thread != g->v.list[e->to].thread;
}

/* Fewest edges between threads from `from` to `to`, inside one component. */
static bool find_path(struct search *s, uint32_t from, uint32_t to)
{
    const struct graph *g = s->g;
    size_t head = g->e.count + 1, tail = head;

    memset(s->distance, 0xff, g->v.count * sizeof *s->distance);
    s->distance[from] = 0;
    s->via[from] = 0;
    s->queue[tail++] = from;
    while (head < tail) {
        uint32_t v = s->queue[head++];

        for (uint32_t i = g->v.list[v].edges; i; i = g->e.list[i - 1].next) {
            const struct edge *e = &g->e.list[i - 1];
            uint32_t d = s->distance[v] + crosses(g, v, e);

            if (s->component[e->to] != s->component[from] ||
                d >= s->distance[e->to])
                continue;
            s->distance[e->to] = d;
            s->via[e->to] = i;
            if (crosses(g, v, e))
                s->queue[tail++] = e->to;
            else
                s->queue[--head] = e->to;
        }
    }
    return s->distance[to] != UINT32_MAX;
}

/* ---- Clauses ---- */

struct cycle {
    uint32_t *vertex, *edge; /* edge[i] goes from vertex[i] to the next */
    uint32_t count;
};

static void add_lits(struct graph *g, uint32_t vertex)
{
    for (const int *lit = g->lits.list + g->v.list[vertex].why; *lit; lit++)
        solver_add(g->x->solver, -*lit);
}

static void add_edge(struct graph *g, uint32_t edge)
{
    CHECK(edge < g->e.count);
    if (g->e.list[edge].kept)
        graph_add_kept(g, &g->e.list[edge]);
    for (int i = 0; i < 4; i++) {
        if (g->e.list[edge].why[i])
            solver_add(g->x->solver, -g->e.list[edge].why[i]);
    }
}

static bool keeps_apart(const struct vertex *fence, unsigned before,
                        unsigned after)
{
    return fence->node == NOBODY && before & fence->from && after & fence->to;
}

/* Is it, in program order, between the two?  A torn load may bring a step
 * backwards (torn.c), and rules speak of steps forwards. */
static bool is_between(const struct graph *g, uint32_t first, uint32_t vertex,
                       uint32_t last)
{
    return !g->x->torn.count || (first <= vertex && vertex <= last);
}

/* What of the steps first..last of one thread is needed: nothing, if the model
 * keeps the two apart; one fence; or all. */
static void add_segment(struct graph *g, const struct cycle *c, uint32_t first,
                        uint32_t last)
{
    const struct vertex *a = &g->v.list[c->vertex[first]];
    const struct vertex *b = &g->v.list[c->vertex[last]];
    uint32_t from = c->vertex[first], to = c->vertex[last];
    bool forward = is_between(g, from, from, to);
    bool enough = forward && (graph_rule_keeps(g->x, a->kind, b->kind) ||
                              keeps_apart(a, ALL, b->kind) ||
                              keeps_apart(b, a->kind, ALL));

    add_lits(g, c->vertex[first]);
    if (last != first)
        add_lits(g, c->vertex[last]);
    if (last != first &&
        graph_add_shortest(g, c->vertex[first], c->vertex[last]))
        return;
    for (uint32_t i = first + 1; i < last && !enough; i++) {
        if (forward && is_between(g, from, c->vertex[i], to) &&
            keeps_apart(&g->v.list[c->vertex[i]], a->kind, b->kind)) {
            add_lits(g, c->vertex[i]);
            enough = true;
        }
    }
    for (uint32_t i = first; i < last && !enough; i++) {
        add_edge(g, c->edge[i]);
        if (i > first)
            add_lits(g, c->vertex[i]);
    }
}

/* The cycle begins where a thread is entered. */
static void forbid(struct graph *g, const struct cycle *c)
{
    uint32_t first = 0;

    CHECK(c->count > 1);
    for (uint32_t i = 0; i < c->count; i++) {
        CHECK(g->e.list[c->edge[i]].to == c->vertex[(i + 1) % c->count]);
        bool last = i + 1 == c->count || g->v.list[c->vertex[i]].thread !=
                                             g->v.list[c->vertex[i + 1]].thread;

        if (!last)
            continue;
        add_segment(g, c, first, i);
        add_edge(g, c->edge[i]);
        first = i + 1;
    }
    solver_end(g->x->solver);
}

/* The path that find_path found, then the edge back to its start. */
static void take_cycle(struct search *s, const uint32_t *from, uint32_t start,
                       uint32_t end, uint32_t back, struct cycle *c)
{
    uint32_t v = end, n = 0;

    c->vertex[0] = end;
    c->edge[0] = back;
    while (v != start) {
        uint32_t e = s->via[v] - 1;

        v = from[e];
        n++;
        c->vertex[n] = v;
        c->edge[n] = e;
    }
    c->count = n + 1;
    for (uint32_t i = 0; i < c->count / 2; i++) {
        uint32_t k = c->count - 1 - i, vertex = c->vertex[i], edge = c->edge[i];

        c->vertex[i] = c->vertex[k];
        c->edge[i] = c->edge[k];
        c->vertex[k] = vertex;
        c->edge[k] = edge;
    }
    for (uint32_t i = 0; i < c->count; i++)
        s->used[c->edge[i]] = true;
}

static size_t forbid_all(struct search *s)
{
    struct graph *g = s->g;
    uint32_t *from = malloc((g->e.count + 1) * sizeof *from);
    struct cycle c = {malloc((g->v.count + 1) * sizeof *c.vertex),
                      malloc((g->v.count + 1) * sizeof *c.edge), 0};
    size_t added = 0;

    CHECK(from && c.vertex && c.edge);
    for (uint32_t v = 0; v < g->v.count; v++) {
        for (uint32_t i = g->v.list[v].edges; i; i = g->e.list[i - 1].next)
            from[i - 1] = v;
    }
    for (uint32_t i = 0; i < g->e.count && added < CYCLES_MAX; i++) {
        uint32_t v = from[i], to = g->e.list[i].to;

        if (s->used[i] || s->component[v] != s->component[to] ||
            !(crosses(g, v, &g->e.list[i]) ||
              leads_back(g, v, &g->e.list[i])) ||
            !find_path(s, to, v))
            continue;
        take_cycle(s, from, to, v, i, &c);
        forbid(g, &c);
        added++;
    }
    free(from);
    free(c.vertex);
    free(c.edge);
    return added;
}

size_t graph_forbid_cycles(struct graph *g)
{
    struct search s = {.g = g};
    size_t added = 0;

    s.component = calloc(g->v.count + 1, sizeof *s.component);
    CHECK(s.component);
    if (!find_components(g, s.component)) {
        s.via = calloc(g->v.count + 1, sizeof *s.via);
        s.distance = calloc(g->v.count + 1, sizeof *s.distance);
        s.queue = calloc(2 * (g->e.count + 2), sizeof *s.queue);
        s.used = calloc(g->e.count + 1, sizeof *s.used);
        CHECK(s.via && s.distance && s.queue && s.used);
        added = forbid_all(&s);
        CHECK(added > 0);
        free(s.via);
        free(s.distance);
        free(s.queue);
        free(s.used);
    }
    free(s.component);
    return added;
}

/* ---- The order ---- */

/* Tarjan numbers components from the last to the first. */
void graph_sort(struct graph *g, struct arena *a, struct flat_run *run)
{
    struct encoding *x = g->x;
    uint32_t *component = calloc(g->v.count + 1, sizeof *component);
    uint32_t *by_place = calloc(g->v.count + 2, sizeof *by_place);

    CHECK(component && by_place);
    CHECK(find_components(g, component)); /* no cycle is left */
    for (uint32_t v = 0; v < g->v.count; v++)
        by_place[g->v.count - component[v]] = v;
    run->order = arena_array(a, x->flat->event_count + 1, sizeof *run->order);
    run->order_count = 0;
    for (uint32_t i = 0; i < g->v.count; i++) {
        uint32_t node = g->v.list[by_place[i]].node;

        if (node == NOBODY)
            continue;
        for (uint32_t k = x->node_first[node]; k < x->node_first[node + 1];
             k++) {
            uint32_t event = x->node_events[k];

            if (solver_value(x->solver, x->accesses[event].live))
                run->order[run->order_count++] = event;
        }
    }
    free(component);
    free(by_place);
}
