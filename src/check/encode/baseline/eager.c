/* SPDX-License-Identifier: MIT
 *
 * The memory order as clauses from the start, so that solutions seldom have a
 * cycle.  Two ways (docs/decisions/9-memory-order.md has what they cost):
 *
 *   cubic    as in CheckFence, section 3.2.2: a variable for every pair of
 *            nodes, transitivity for every three of them;
 *   chordal  variables for the pairs that matter, then for those that make the
 *            graph chordal: nodes are taken out one after the other, of least
 *            degree first, and the neighbours of each are made neighbours.  In
 *            such a graph an order without cycles of three has no cycles.
 *
 * Nodes that are not executed are in the order, too, wherever they do no harm:
 * a rule binds only what is executed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "encode/encode_graph.h"

/* Kinds of fences, one bit each. */
#define KINDS 5

struct eager {
    struct encoding *x;
    uint32_t n;     /* nodes */
    int *lit;       /* n squared: first before second, 0: no literal yet */
    bool *edge;     /* n squared: pairs that matter */
    bool constants; /* program order is memory order, by constants */
};

static uint32_t event_of(const struct encoding *x, uint32_t node)
{
    return x->node_events[x->node_first[node]];
}

static uint32_t thread_of(const struct encoding *x, uint32_t node)
{
    return x->flat->events[event_of(x, node)].thread;
}

/* ---- Literals ---- */

static int *slot(const struct eager *g, uint32_t a, uint32_t b)
{
    return &g->lit[(size_t)a * g->n + b];
}

static bool fixed_nodes(const struct encoding *x, uint32_t a, uint32_t b)
{
    return fixed_before(&x->fixed, x->flat, event_of(x, a), event_of(x, b));
}

/* Is node a before b and all that follows b in its thread?  A join that may be
 * left out orders some of what follows it only. */
static bool fixed_for_good(const struct encoding *x, uint32_t a, uint32_t b)
{
    const struct flat_thread *t = &x->flat->threads[thread_of(x, b)];

    for (uint32_t e = event_of(x, b); e < t->first + t->count; e++) {
        if (!fixed_before(&x->fixed, x->flat, event_of(x, a), e))
            return false;
    }
    return true;
}

static int new_lit(struct eager *g)
{
    g->x->order_vars++;
    return solver_new_lit(g->x->solver);
}

static int find_lit(struct eager *g, uint32_t a, uint32_t b)
{
    const struct encoding *x = g->x;

    if (x->order[(size_t)a * g->n + b])
        return x->order[(size_t)a * g->n + b];
    if (thread_of(x, a) == thread_of(x, b)) {
        if (g->constants)
            return a < b ? LIT_TRUE : LIT_FALSE;
    } else if (g->constants) {
        if (fixed_for_good(x, a, b))
            return LIT_TRUE;
        if (fixed_for_good(x, b, a))
            return LIT_FALSE;
    }
    return new_lit(g);
}

static int before(struct eager *g, uint32_t a, uint32_t b)
{
    CHECK(a != b);
    if (!*slot(g, a, b)) {
        int lit = find_lit(g, a, b);

        *slot(g, a, b) = lit;
        *slot(g, b, a) = -lit;
    }
    return *slot(g, a, b);
}

static void connect(struct eager *g, uint32_t a, uint32_t b)
{
    g->edge[(size_t)a * g->n + b] = g->edge[(size_t)b * g->n + a] = true;
}

/* Not in a circle, neither way. */
static void forbid_circle(struct eager *g, uint32_t a, uint32_t b, uint32_t c)
{
    int ab = before(g, a, b), bc = before(g, b, c), ca = before(g, c, a);

    solver_clause(g->x->solver, -ab, -bc, -ca, 0);
    solver_clause(g->x->solver, ab, bc, ca, 0);
}

/* ---- What the model keeps in order in one thread ---- */

/* If both are executed, at the same address. */
static bool keeps_same(const struct encoding *x, uint32_t p, uint32_t q)
{
    const struct flat_event *a = &x->flat->events[p], *b = &x->flat->events[q];

    if (a->kind == FLAT_FREE || b->kind == FLAT_FREE)
        return false;
    if (b->kind == FLAT_STORE)
        return true;
    if (a->kind == FLAT_STORE)
        return graph_rank(x, b) & DRAINS;
    return graph_loads_stay(x, a) && graph_loads_stay(x, b);
}

/* Clauses for two events, with the fences between them; how many. */
static unsigned keep_events(struct eager *g, uint32_t p, uint32_t q,
                            const int *between)
{
    struct encoding *x = g->x;
    struct solver *s = x->solver;
    const struct flat_event *a = &x->flat->events[p], *b = &x->flat->events[q];
    unsigned from = graph_rank(x, a), to = graph_rank(x, b), made = 0;
    int not_p = -x->accesses[p].live, not_q = -x->accesses[q].live;
    uint32_t m = x->accesses[p].node, n = x->accesses[q].node;

    if (not_p == LIT_TRUE || not_q == LIT_TRUE)
        return 0;
    if (graph_rule_keeps(x, from, to)) {
        solver_clause(s, not_p, not_q, before(g, m, n), 0);
        return 1;
    }
    for (unsigned k = 0; k < KINDS; k++) {
        if (between[k] == LIT_FALSE || !graph_fence_keeps(1u << k, from, to))
            continue;
        solver_clause(s, not_p, not_q, -between[k], before(g, m, n));
        made++;
    }
    if (keeps_same(x, p, q) && ranges_may_alias(&x->ranges, x->flat, p, q)) {
        solver_clause(s, -access_same(x, p, q), before(g, m, n), 0, 0);
        made++;
    }
    return made;
}

static void keep_nodes(struct eager *g, uint32_t a, uint32_t b,
                       const int *between)
{
    const struct encoding *x = g->x;
    unsigned made = 0;

    for (uint32_t i = x->node_first[a]; i < x->node_first[a + 1]; i++) {
        for (uint32_t k = x->node_first[b]; k < x->node_first[b + 1]; k++)
            made +=
                keep_events(g, x->node_events[i], x->node_events[k], between);
    }
    if (made)
        connect(g, a, b);
}

static void add_fences(struct eager *g, int *between, unsigned kinds, int lit)
{
    for (unsigned k = 0; k < KINDS; k++) {
        if (kinds & 1u << k)
            between[k] = solver_or(g->x->solver, between[k], lit);
    }
}

/* The event's construct is that of its node: it is executed, and no store of
 * the node after it; if it is no store itself then nothing before it. */
static int speaks(struct encoding *x, uint32_t node, uint32_t event)
{
    bool stores = x->flat->events[event].kind != FLAT_LOAD;
    int lit = x->accesses[event].live;

    for (uint32_t i = x->node_first[node]; i < x->node_first[node + 1]; i++) {
        uint32_t e = x->node_events[i];
        bool other = x->flat->events[e].kind != FLAT_LOAD;

        if (e < event ? !stores : e > event && other)
            lit = solver_and(x->solver, lit, -x->accesses[e].live);
    }
    return lit;
}

static void add_recipes(struct eager *g, int *between, uint32_t node,
                        bool after)
{
    struct encoding *x = g->x;

    for (uint32_t i = x->node_first[node]; i < x->node_first[node + 1]; i++) {
        uint32_t e = x->node_events[i];
        const struct model_recipe *r =
            &x->model->recipe[x->flat->events[e].construct];
        unsigned kinds = after ? r->after : r->before;

        if (kinds)
            add_fences(g, between, kinds, speaks(x, node, e));
    }
}

static void add_own_fence(struct eager *g, int *between, uint32_t event)
{
    struct encoding *x = g->x;
    int on = graph_fence_switch(x, x->flat->events[event].site);
    int live = x->accesses[event].live;

    add_fences(g, between, graph_fence_kinds(x, &x->flat->events[event]),
               on ? solver_and(x->solver, live, on) : live);
}

/* Node a and all that comes after it in its thread. */
static void keep_after(struct eager *g, uint32_t a)
{
    struct encoding *x = g->x;
    const struct flat_thread *t = &x->flat->threads[thread_of(x, a)];
    int between[KINDS];

    for (int k = 0; k < KINDS; k++)
        between[k] = LIT_FALSE;
    add_recipes(g, between, a, true);
    for (uint32_t e = event_of(x, a) + 1; e < t->first + t->count; e++) {
        unsigned kind = x->flat->events[e].kind;
        uint32_t b = x->accesses[e].node;

        if (kind == FLAT_FENCE)
            add_own_fence(g, between, e);
        if (kind != FLAT_LOAD && kind != FLAT_STORE && kind != FLAT_FREE)
            continue;
        if (b == a || event_of(x, b) != e)
            continue;
        add_recipes(g, between, b, false);
        keep_nodes(g, a, b, between);
        add_recipes(g, between, b, true);
    }
}

/* ---- Which pairs ---- */

static void connect_needed(struct eager *g, bool *active)
{
    const struct encoding *x = g->x;

    for (size_t i = 0; i < x->pairs.count; i++) {
        connect(g, x->pairs.list[i].x, x->pairs.list[i].y);
        active[x->pairs.list[i].x] = active[x->pairs.list[i].y] = true;
    }
}

/* Those of other threads that create and join order. */
static void connect_fixed(struct eager *g, const bool *active)
{
    struct encoding *x = g->x;

    for (uint32_t a = 0; a < g->n; a++) {
        for (uint32_t b = 0; b < g->n; b++) {
            if (!active[a] || !active[b] ||
                thread_of(x, a) == thread_of(x, b) || !fixed_nodes(x, a, b))
                continue;
            connect(g, a, b);
            solver_clause(x->solver, -x->accesses[event_of(x, a)].live,
                          -x->accesses[event_of(x, b)].live, before(g, a, b),
                          0);
        }
    }
}

/* Where program order is memory order neighbours are enough. */
static void connect_neighbours(struct eager *g, const bool *active)
{
    uint32_t last = NOBODY;

    for (uint32_t a = 0; a < g->n; a++) {
        if (!active[a])
            continue;
        if (last != NOBODY && thread_of(g->x, last) == thread_of(g->x, a))
            connect(g, last, a);
        last = a;
    }
}

/* ---- Chordal ---- */

static uint32_t least_degree(const uint32_t *degree, const bool *gone,
                             uint32_t n)
{
    uint32_t found = NOBODY;

    for (uint32_t v = 0; v < n; v++) {
        if (!gone[v] && (found == NOBODY || degree[v] < degree[found]))
            found = v;
    }
    return found;
}

/* Makes the neighbours of v neighbours, and takes v out. */
static void eliminate(struct eager *g, uint32_t v, uint32_t *degree,
                      const bool *gone, uint32_t *around)
{
    uint32_t count = 0;

    for (uint32_t u = 0; u < g->n; u++) {
        if (!gone[u] && u != v && g->edge[(size_t)v * g->n + u])
            around[count++] = u;
    }
    for (uint32_t i = 0; i < count; i++) {
        degree[around[i]]--;
        for (uint32_t k = 0; k < i; k++) {
            if (!g->edge[(size_t)around[i] * g->n + around[k]]) {
                connect(g, around[i], around[k]);
                degree[around[i]]++;
                degree[around[k]]++;
            }
            forbid_circle(g, v, around[i], around[k]);
        }
    }
}

static void encode_chordal(struct eager *g)
{
    uint32_t *degree = calloc(g->n + 1, sizeof *degree);
    uint32_t *around = calloc(g->n + 1, sizeof *around);
    bool *gone = calloc(g->n + 1, sizeof *gone);

    CHECK(degree && around && gone);
    for (uint32_t a = 0; a < g->n; a++) {
        for (uint32_t b = 0; b < g->n; b++)
            degree[a] += g->edge[(size_t)a * g->n + b];
    }
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t v = least_degree(degree, gone, g->n);

        eliminate(g, v, degree, gone, around);
        gone[v] = true;
    }
    free(degree);
    free(around);
    free(gone);
}

/* ---- All of it ---- */

static void encode_cubic(struct eager *g)
{
    for (uint32_t a = 0; a < g->n; a++) {
        for (uint32_t b = a + 1; b < g->n; b++) {
            for (uint32_t c = b + 1; c < g->n; c++)
                forbid_circle(g, a, b, c);
        }
    }
}

void eager_encode(struct encoding *x)
{
    struct eager g = {.x = x, .n = x->node_count};
    bool cubic = x->options.order == ORDER_CUBIC;
    bool *active = calloc(g.n + 1, sizeof *active);

    g.lit = calloc((size_t)g.n * g.n + 1, sizeof *g.lit);
    g.edge = calloc((size_t)g.n * g.n + 1, sizeof *g.edge);
    CHECK(active && g.lit && g.edge);
    g.constants = keeps_program_order(x) && !cubic;
    connect_needed(&g, active);
    if (cubic)
        memset(active, true, g.n * sizeof *active);
    connect_fixed(&g, active);
    if (g.constants)
        connect_neighbours(&g, active);
    for (uint32_t a = 0; a < g.n && !g.constants; a++)
        keep_after(&g, a);
    if (cubic)
        encode_cubic(&g);
    else
        encode_chordal(&g);
    free(active);
    free(g.lit);
    free(g.edge);
}
