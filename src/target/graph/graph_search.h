/* SPDX-License-Identifier: MIT
 *
 * Every execution of a program on a model, each once: TruSt (Kokologiannakis
 * and others, POPL 2022).  A graph grows event by event.  A read tries every
 * source, a write every place in co; and a new write may become the source of
 * an older read (a revisit): what came after that read and the write does not
 * need is deleted, and grows anew.  Only deletions of what would be added again
 * in the same way are made, which is why no graph comes twice.  Memory is one
 * graph for each choice on the way from the root.
 *
 * Which thread is extended next is free.
 */
#ifndef GRAPH_GRAPH_SEARCH_H
#define GRAPH_GRAPH_SEARCH_H

#include "graph/graph.h"
#include "graph/graph_engine.h"
#include "graph/rules.h"

/* The graph without events. */
void graph_begin(struct graph *g, const struct graph_search *s);

/* Where the thread of that access is after it. */
behaviour_node graph_after_bundle(const struct graph_search *s,
                                  const struct graph *g, int read);

static inline behaviour_node graph_after(const struct graph_search *s,
                                         const struct graph *g, int e)
{
    const struct node_event *n = &g->events[e];

    if (n->kind == NODE_W)
        return behaviour_step(s->behaviour, n->before,
                              n->mate < 0 ? 0 : g->events[n->mate].value);
    return row_has(g->bundles, e)
               ? graph_after_bundle(s, g, e)
               : behaviour_step(s->behaviour, n->before, n->value);
}

/* All executions. */
void graph_search_run(struct graph_search *s);

/* One random execution, as graph_engine.h says. */
double graph_sample(struct graph_search *s, struct graph_sampling *how);

/* The thread is about to take a mutex, which is free; where it stops then,
 * since all that led to it is explored without that.  NULL: it goes on. */
const struct op *graph_takes_in_vain(const struct graph_search *s,
                                     const struct graph *g, unsigned thread);

#endif
