/* SPDX-License-Identifier: MIT
 *
 * Rows of bits are quick to combine: "what can follow here, is no chord, is of
 * a thread not yet used and leads back in time" is four operations on 64 nodes
 * at once.  The search (predict_search.c) consists of little else.
 */
#include "predict/predict_graph.h"

#include <string.h>

#include "base/check.h"

void graph_init(struct graph *g, struct arena *a,
                const struct graph_node *nodes, uint32_t count)
{
    size_t row = (count + 63) / 64, all = row * count;
    uint32_t start = 0;

    *g = (struct graph){.count = count, .words = (uint32_t)row, .arena = a};
    g->nodes = arena_array(a, count, sizeof(*nodes));
    if (count)
        memcpy(g->nodes, nodes, count * sizeof(*nodes));
    g->out = arena_array(a, all, sizeof(*g->out));
    g->in = arena_array(a, all, sizeof(*g->in));
    g->conflict = arena_array(a, all, sizeof(*g->conflict));
    g->later = arena_array(a, all, sizeof(*g->later));
    g->marked = arena_array(a, all, sizeof(*g->marked));
    g->marks = arena_array(a, count, sizeof(*g->marks));
    g->first_node = arena_array(a, count, sizeof(*g->first_node));
    g->end_node = arena_array(a, count, sizeof(*g->end_node));
    for (uint32_t i = 0; i < count; i++) {
        CHECK(!i || nodes[i - 1].thread <= nodes[i].thread);
        if (i && nodes[i - 1].thread != nodes[i].thread)
            start = i;
        g->first_node[i] = start;
    }
    for (uint32_t i = count, end = count; i-- > 0;) {
        g->end_node[i] = end;
        if (g->first_node[i] == i)
            end = i;
    }
}

static void set(uint64_t *row, uint32_t node)
{
    row[node / 64] |= 1ull << node % 64;
}

/* An edge or chord joins two threads. */
static bool may_join(const struct graph *g, uint32_t x, uint32_t y)
{
    return x < g->count && y < g->count &&
           g->nodes[x].thread != g->nodes[y].thread;
}

void graph_add_edge(struct graph *g, uint32_t x, uint32_t y)
{
    CHECK(may_join(g, x, y));
    set(graph_row(g, g->out, x), y);
    set(graph_row(g, g->in, y), x);
}

void graph_add_conflict(struct graph *g, uint32_t x, uint32_t y)
{
    CHECK(may_join(g, x, y));
    set(graph_row(g, g->conflict, x), y);
    set(graph_row(g, g->conflict, y), x);
}

void graph_add_pair(struct graph *g, uint32_t x, uint32_t y, uint16_t marks)
{
    CHECK(x < g->count && x != y);
    CHECK(g->first_node[x] <= y && y < g->end_node[x]);
    set(graph_row(g, g->later, x), y);
    if (!marks)
        return;
    set(graph_row(g, g->marked, x), y);
    if (!g->marks[x])
        g->marks[x] = arena_array(g->arena, g->end_node[x] - g->first_node[x],
                                  sizeof(*g->marks[x]));
    g->marks[x][y - g->first_node[x]] |= marks;
}
