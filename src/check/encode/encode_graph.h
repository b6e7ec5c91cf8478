/* SPDX-License-Identifier: MIT
 *
 * A solution's memory order as a graph: the accesses that are executed, which
 * of them is before which, and the literals that are the reason.
 */
#ifndef ENCODE_ENCODE_GRAPH_H
#define ENCODE_ENCODE_GRAPH_H

#include "base/vec.h"
#include "encode/encode_inside.h"

#define NOBODY UINT32_MAX

struct edge {
    uint32_t to, next; /* next: edge of the same node + 1, 0: last */
    int why[4];        /* literals that hold; 0: none */
    /* Terms keep it: a thread + 1, and points of it; 0: no. */
    uint32_t kept, first, second;
};

struct vertex {
    uint32_t thread;
    uint32_t node;    /* of the encoding; NOBODY: a fence */
    uint32_t edges;   /* first + 1 */
    uint32_t why;     /* literals, in `lits`, up to a 0 */
    uint8_t kind;     /* enum rank bits: what it is to the rules */
    uint8_t from, to; /* of a fence: ranks it keeps apart */
};

/* What a vertex is to the rules. */
enum rank {
    LOADS = 1,
    STORES = 2,
    DRAINS = 4, /* an RMW, also one that does not write */
    GHOST = 8,
    MILESTONE = 16, /* create or join */
    ALL = 31
};

/* Vertices of a thread's create and join, of its first and last event. */
struct milestones {
    uint32_t create, start, exit, join;
};

/* What a load in parts has seen of a store, a later load sees, too. */
struct sighting {
    uint32_t store, vertex; /* event; the later load */
    int why[4];
};

struct graph {
    struct encoding *x;
    VEC(struct sighting) seen;
    VEC(struct vertex) v;
    VEC(struct edge) e;
    VEC(int) lits;
    uint32_t *of_node;             /* vertex of each executed node, or NOBODY */
    struct milestones *milestones; /* per thread */
    struct relate *relations;      /* per thread; NULL: the model has rules */
    struct depends *depends;
};

struct graph *graph_new(struct encoding *x);
void graph_free(struct graph *g);

/* Adds a clause for cycles of the graph; how many. */
size_t graph_forbid_cycles(struct graph *g);

/* The executed accesses in an order that the graph allows. */
void graph_sort(struct graph *g, struct arena *a, struct flat_run *run);

/* ---- Building it (encode_graph.c, thread.c) ---- */

/* A literal of the vertex under way; 0 ends them. */
uint32_t graph_put_lit(struct graph *g, int lit);
uint32_t graph_new_vertex(struct graph *g, uint32_t thread, unsigned kind);
/* From NOBODY: none. */
void graph_new_edge(struct graph *g, uint32_t from, uint32_t to, int why,
                    int more);
bool graph_executed(struct encoding *x, uint32_t event);
void graph_walk_thread(struct graph *g, uint32_t thread);

/* The same on a model by terms (encode_terms.c); and literals of clauses: those
 * of an edge, and those of the shortest way within a thread, if there is one.
 */
void graph_walk_terms(struct graph *g, uint32_t thread);
void graph_add_kept(struct graph *g, const struct edge *e);
bool graph_add_shortest(struct graph *g, uint32_t from, uint32_t to);

/* ---- What is kept in order (rules.c) ---- */

/* A fence of one kind keeps what is of `from` before it apart from what is of
 * `to` after it. */
struct rank_fence {
    uint8_t bit; /* enum model_fence */
    uint8_t from, to;
};
#define RANK_FENCES 5 /* the last one is FENCE_FULL */
extern const struct rank_fence graph_fences[RANK_FENCES];

bool graph_writes(const struct flat_event *e);

/* Does the model keep node a before node b of the same thread, whatever is
 * between and at whatever address, if all their accesses are executed? */
bool graph_keeps(const struct encoding *x, uint32_t a, uint32_t b);

/* The same, by what they are: enum rank bits. */
bool graph_rule_keeps(const struct encoding *x, unsigned a, unsigned b);

/* What an event is to the rules: enum rank bits. */
unsigned graph_rank(const struct encoding *x, const struct flat_event *e);

/* Is a load of the same address later than this one, too? */
bool graph_loads_stay(const struct encoding *x, const struct flat_event *e);

/* Does a fence (enum model_fence bits) between a and b keep them apart? */
bool graph_fence_keeps(unsigned bits, unsigned a, unsigned b);

/* The program's own fence: its bits, and what switches it; 0: nothing. */
unsigned graph_fence_kinds(const struct encoding *x,
                           const struct flat_event *e);
int graph_fence_switch(const struct encoding *x, uint32_t site);

/* All accesses of the node are executed. */
int graph_live(struct encoding *x, uint32_t node);

#endif
