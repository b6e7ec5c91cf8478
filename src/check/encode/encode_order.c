/* SPDX-License-Identifier: MIT
 *
 * The memory order.  Two accesses that may meet, of different threads and not
 * both loads, have a variable: which is first?  Everything else follows from
 * the program and the model.  The formula does not say that these pairwise
 * orders form one total order.  Instead, each solution is laid out as a graph
 * (encode_graph.c), and a cycle in it becomes a clause that forbids it.
 *
 * The first formula has clauses between neighbours only: if the model keeps a
 * before b, and an access c of another thread is before a, then c is before b.
 */
#include "base/check.h"
#include "encode/encode_graph.h"
#include "encode/encode_inside.h"

static int *slot(struct encoding *x, uint32_t a, uint32_t b)
{
    return &x->order[(size_t)a * x->node_count + b];
}

static int new_pair(struct encoding *x, uint32_t a, uint32_t b)
{
    int lit = solver_new_lit(x->solver);

    *slot(x, a, b) = lit;
    *slot(x, b, a) = -lit;
    x->order_vars++;
    VEC_PUSH(&x->pairs, {a, b, false});
    return lit;
}

int order_lit(struct encoding *x, uint32_t first, uint32_t second)
{
    uint32_t a = x->accesses[first].node, b = x->accesses[second].node;

    CHECK(a != b && a < x->node_count && b < x->node_count);
    CHECK(*slot(x, a, b) == -*slot(x, b, a));
    if (*slot(x, a, b))
        return *slot(x, a, b);
    CHECK(x->flat->events[first].thread != x->flat->events[second].thread);
    if (fixed_before(&x->fixed, x->flat, first, second)) {
        CHECK(!fixed_before(&x->fixed, x->flat, second, first));
        return LIT_TRUE;
    }
    if (fixed_before(&x->fixed, x->flat, second, first))
        return LIT_FALSE;
    return new_pair(x, a, b);
}

int order_commit(struct encoding *x, uint32_t first, uint32_t second)
{
    uint32_t a = x->accesses[first].node, b = x->accesses[second].node;
    int lit = order_lit(x, first, second);

    for (size_t i = 0; i < x->pairs.count; i++) {
        if ((x->pairs.list[i].x == a && x->pairs.list[i].y == b) ||
            (x->pairs.list[i].x == b && x->pairs.list[i].y == a))
            x->pairs.list[i].always = true;
    }
    return lit;
}

/* ---- Between neighbours ---- */

static uint32_t event_of(const struct encoding *x, uint32_t node)
{
    return x->node_events[x->node_first[node]];
}

static uint32_t thread_of(const struct encoding *x, uint32_t node)
{
    return x->flat->events[event_of(x, node)].thread;
}

/* a is kept before b, both of one thread: then what is before a is before b,
 * seen from node c. */
static void keep(struct encoding *x, uint32_t a, uint32_t b, uint32_t c)
{
    int from_a = *slot(x, a, c), from_b = *slot(x, b, c);
    int both = keeps_program_order(x)
                   ? LIT_TRUE
                   : solver_and(x->solver, graph_live(x, a), graph_live(x, b));

    /* c < a -> c < b */
    solver_clause(x->solver, -both, from_a, -from_b, 0);
}

/* For node b and node c of another thread: the nearest earlier node of b's
 * thread that is kept before it and has a variable with c, too. */
static void keep_neighbour(struct encoding *x, uint32_t b, uint32_t c)
{
    for (uint32_t a = b; a-- > 0 && thread_of(x, a) == thread_of(x, b);) {
        if (*slot(x, a, c) && graph_keeps(x, a, b)) {
            keep(x, a, b, c);
            return;
        }
    }
}

void order_encode(struct encoding *x)
{
    if (x->options.order != ORDER_LAZY && x->pairs_kept == 0) {
        eager_encode(x);
        x->pairs_kept = x->pairs.count;
    }
    for (size_t i = x->pairs_kept; i < x->pairs.count; i++) {
        keep_neighbour(x, x->pairs.list[i].x, x->pairs.list[i].y);
        keep_neighbour(x, x->pairs.list[i].y, x->pairs.list[i].x);
    }
    x->pairs_kept = x->pairs.count;
}

/* ---- A solution ---- */

size_t order_forbid_cycles(struct encoding *x)
{
    struct graph *g;
    size_t added;

    if (x->by_axioms) {
        added = axioms_forbid(x);
        x->stats.cycle_clauses += added;
        return added;
    }
    g = graph_new(x);
    added = graph_forbid_cycles(g);
    graph_free(g);
    if (x->one_order)
        added += terms_forbid_older(x);
    x->stats.cycle_clauses += added;
    return added;
}

/* All that is executed, each once. */
static void check_order(struct encoding *x, const struct flat_run *run)
{
    uint32_t live = 0;

    for (uint32_t i = 0; i < x->node_first[x->node_count]; i++)
        live += graph_executed(x, x->node_events[i]);
    CHECK(run->order_count == live);
    for (uint32_t i = 0; i < live; i++)
        CHECK(graph_executed(x, run->order[i]));
}

void order_take_run(struct encoding *x, struct arena *a, struct flat_run *run)
{
    struct graph *g;

    if (x->by_axioms) {
        axioms_sort(x, a, run);
    } else {
        g = graph_new(x);
        graph_sort(g, a, run);
        graph_free(g);
    }
    check_order(x, run);
}
