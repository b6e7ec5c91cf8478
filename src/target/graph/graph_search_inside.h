/* SPDX-License-Identifier: MIT
 *
 * What the two halves of a search share: going forward (graph_search.c) and
 * going back (graph_revisit.c).
 */
#ifndef GRAPH_GRAPH_SEARCH_INSIDE_H
#define GRAPH_GRAPH_SEARCH_INSIDE_H

#include "graph/graph_search.h"

/* A search under way.  levels[n] is the graph of the n-th choice; who makes a
 * child makes it in levels[n + 1] and visits that. */
struct walk {
    struct graph_search *search;
    struct graph *levels;
    uint64_t random;
    bool stopped;
};

/* Explores all that levels[level] can become. */
void walk_visit(struct walk *w, int level);

/* The child in levels[level] is ready. */
void walk_take_child(struct walk *w, int level);

/* Of the RMW `read`, which has its source and no write yet: explores what its
 * write revisits, then adds the write.  False: the graph is of no use. */
bool walk_finish_rmw(struct walk *w, int level, int read);

uint64_t walk_value(const struct walk *w, const struct graph *g, int write,
                    unsigned location);

/* Would the thread at that node block at once on that value? */
bool walk_blocks(struct walk *w, behaviour_node node, uint64_t value);

/* Gives the read that source, or begins the RMW that it then is.  `*writes`:
 * which of the two; an RMW still has to be finished. */
bool walk_give_source(struct walk *w, struct graph *g, int read, int source,
                      bool *writes);

/* A write that is to be added: a plain one of thread `thread`, or the one of
 * the RMW `read`. */
struct new_write {
    unsigned thread;
    const struct op *op;
    uint64_t value;
    int read; /* or NONE */
};

/* Makes all older reads that the write may be the source of read it, each in a
 * graph of its own.  `limit`: only reads up to that event; or NONE. */
void revisit_reads(struct walk *w, int level, const struct new_write *write,
                   int limit);

/* May the RMW of the thread read `source`, which another RMW reads already:
 * can a revisit still undo that one? */
bool revisit_can_undo(const struct graph *g, unsigned thread, int source,
                      unsigned location);

#endif
