/* SPDX-License-Identifier: MIT
 *
 * What a solution says about memory order, as a graph over nodes (units of the
 * encoding), fences, and the starts and ends of threads.  Its size is linear
 * in the test: per thread and kind of fence there is a chain,
 *
 *      W x   W y   ss    W z        x -> ss, y -> ss, ss -> z
 *
 * and a model's own rules are chains whose fences are everywhere.
 * docs/models.md has the rules.
 *
 * Every node and edge knows the literals that make it so; a cycle becomes the
 * clause that not all of them hold.
 */
#include "encode/encode_graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "encode/encode_relate.h"

/* ---- Building ---- */

uint32_t graph_put_lit(struct graph *g, int lit)
{
    VEC_PUSH(&g->lits, lit);
    return (uint32_t)g->lits.count - 1;
}

uint32_t graph_new_vertex(struct graph *g, uint32_t thread, unsigned kind)
{
    CHECK(thread < g->x->flat->thread_count && kind <= ALL);
    /* The literals of the vertex before it are complete. */
    CHECK(!g->lits.count || VEC_LAST(&g->lits) == 0);
    VEC_PUSH(&g->v, {.thread = thread,
                     .node = NOBODY,
                     .kind = (uint8_t)kind,
                     .why = (uint32_t)g->lits.count});
    return (uint32_t)g->v.count - 1;
}

void graph_new_edge(struct graph *g, uint32_t from, uint32_t to, int why,
                    int more)
{
    if (from == NOBODY || from == to)
        return;
    CHECK(from < g->v.count && to < g->v.count);
    VEC_PUSH(&g->e, {to, g->v.list[from].edges, {why, more, 0, 0}, 0, 0, 0});
    g->v.list[from].edges = (uint32_t)g->e.count;
}

bool graph_executed(struct encoding *x, uint32_t event)
{
    return solver_value(x->solver, x->accesses[event].live);
}

/* ---- Between threads ---- */

/* Do the two nodes meet at an address, one of them writing? */
static bool meet(struct encoding *x, uint32_t a, uint32_t b)
{
    const struct flat *f = x->flat;

    for (uint32_t i = x->node_first[a]; i < x->node_first[a + 1]; i++) {
        for (uint32_t k = x->node_first[b]; k < x->node_first[b + 1]; k++) {
            uint32_t p = x->node_events[i], q = x->node_events[k];
            struct lsl_value at, other;

            if ((!graph_writes(&f->events[p]) &&
                 !graph_writes(&f->events[q])) ||
                !graph_executed(x, p) || !graph_executed(x, q))
                continue;
            at = value_found(x, f->events[p].address);
            other = value_found(x, f->events[q].address);
            if (f->events[p].kind == FLAT_FREE ||
                f->events[q].kind == FLAT_FREE)
                at.bits = other.bits = 0;
            if (at.kind == LSL_POINTER && value_compare(at, other) == 0)
                return true;
        }
    }
    return false;
}

static void add_pairs(struct graph *g)
{
    struct encoding *x = g->x;

    for (size_t i = 0; i < x->pairs.count; i++) {
        uint32_t a = x->pairs.list[i].x, b = x->pairs.list[i].y;
        int lit = x->order[(size_t)a * x->node_count + b];
        uint32_t p = g->of_node[a], q = g->of_node[b];

        if (p == NOBODY || q == NOBODY ||
            (!x->pairs.list[i].always && !meet(x, a, b)))
            continue;
        if (solver_value(x->solver, lit))
            graph_new_edge(g, p, q, lit, 0);
        else
            graph_new_edge(g, q, p, -lit, 0);
    }
}

static void add_seen(struct graph *g)
{
    for (size_t i = 0; i < g->seen.count; i++) {
        const struct sighting *s = &g->seen.list[i];
        uint32_t from = g->of_node[g->x->accesses[s->store].node];

        CHECK(from != NOBODY);
        graph_new_edge(g, from, s->vertex, 0, 0);
        memcpy(VEC_LAST(&g->e).why, s->why, sizeof s->why);
    }
}

static void add_milestones(struct graph *g)
{
    for (uint32_t t = 0; t < g->x->flat->thread_count; t++) {
        const struct milestones *m = &g->milestones[t];

        if (m->start != NOBODY)
            graph_new_edge(g, m->create, m->start, 0, 0);
        if (m->join != NOBODY)
            graph_new_edge(g, m->exit, m->join, 0, 0);
    }
}

struct graph *graph_new(struct encoding *x)
{
    struct graph *g = calloc(1, sizeof *g);
    uint32_t threads = x->flat->thread_count;

    CHECK(g);
    g->x = x;
    g->of_node = malloc((x->node_count + 1) * sizeof *g->of_node);
    g->milestones = malloc((threads + 1) * sizeof *g->milestones);
    CHECK(g->of_node && g->milestones);
    memset(g->of_node, 0xff, (x->node_count + 1) * sizeof *g->of_node);
    memset(g->milestones, 0xff, (threads + 1) * sizeof *g->milestones);
    if (x->one_order) {
        g->depends = depends_new(x);
        g->relations = calloc(threads + 1, sizeof *g->relations);
        CHECK(g->relations);
    }
    for (uint32_t t = 0; t < threads; t++) {
        if (g->relations)
            graph_walk_terms(g, t);
        else
            graph_walk_thread(g, t);
    }
    add_milestones(g);
    add_pairs(g);
    add_seen(g);
    return g;
}

void graph_free(struct graph *g)
{
    for (uint32_t t = 0; g->relations && t < g->x->flat->thread_count; t++)
        relate_end(&g->relations[t]);
    free(g->relations);
    depends_free(g->depends);
    VEC_FREE(&g->v);
    VEC_FREE(&g->e);
    VEC_FREE(&g->lits);
    VEC_FREE(&g->seen);
    free(g->of_node);
    free(g->milestones);
    free(g);
}
