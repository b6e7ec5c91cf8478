/* SPDX-License-Identifier: MIT
 *
 * Accesses as nodes, and the relations that a cycle is made of as rows of
 * bits: one row a node, one bit another node.  The same graph serves for what
 * a trace contains (nodes are accesses, edges the conflict order) and for what
 * is predicted (nodes stand for many accesses, edges are races, both ways).
 */
#ifndef PREDICT_PREDICT_GRAPH_H
#define PREDICT_PREDICT_GRAPH_H

#include "predict/predict_access.h"

/* Nodes of one thread are neighbours in the list, threads ascending. */
struct graph_node {
    uint32_t site, thread;
    bool reads, writes;
    uint32_t tag; /* the caller's */
};

struct graph {
    struct graph_node *nodes;
    uint32_t count, words; /* words: of 64 bits in a row */
    uint64_t *out, *in;    /* conflict edges, from and to the node */
    uint64_t *conflict;    /* chords: nodes it conflicts with in any way */
    uint64_t *later;       /* seconds of the pairs that it is first of */
    uint64_t *marked;      /* those of them with marks */
    uint16_t **marks;      /* per node: marks of its pairs, see graph_marks */
    uint32_t *first_node;  /* per node: first node of its thread */
    uint32_t *end_node;    /* per node: after the last node of its thread */
    struct arena *arena;
};

/* The arena owns all of it.  Nodes are given once, in their final order. */
void graph_init(struct graph *g, struct arena *a,
                const struct graph_node *nodes, uint32_t count);

/* From node x to node y there is an edge. */
void graph_add_edge(struct graph *g, uint32_t x, uint32_t y);

void graph_add_conflict(struct graph *g, uint32_t x, uint32_t y);

/* x, y is a pair; marks: how it may be, or was, reordered. */
void graph_add_pair(struct graph *g, uint32_t x, uint32_t y, uint16_t marks);

static inline uint64_t *graph_row(const struct graph *g, uint64_t *rows,
                                  uint32_t node)
{
    return rows + (size_t)node * g->words;
}

static inline bool graph_has(const uint64_t *row, uint32_t node)
{
    return row[node / 64] >> node % 64 & 1;
}

static inline uint16_t graph_marks(const struct graph *g, uint32_t x,
                                   uint32_t y)
{
    return g->marks[x] ? g->marks[x][y - g->first_node[x]] : 0;
}

#endif
