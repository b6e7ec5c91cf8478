/* SPDX-License-Identifier: MIT
 *
 * What the files that go back share: one revisit (graph_revisit.c), and those
 * where the read or the write is a bundle (graph_revisit_bundle.c).
 */
#ifndef GRAPH_GRAPH_REVISIT_H
#define GRAPH_GRAPH_REVISIT_H

#include "graph/graph_search_inside.h"

/* Is e, an access or a choice, as the search itself would add it to what is
 * stamped before it, or is in the prefix of the new write?  If so, it may be
 * deleted: it would come again.  (TruSt, section 3: the maximality of what is
 * deleted.) */
ROW_INLINE bool revisit_is_maximal(const struct graph *g, int e, row prefix)
{
    const struct node_event *n = &g->events[e];
    row there = row_below(e) | prefix;

    if (row_has(g->settled, e))
        return false;
    if (node_writes(n)) /* a reader that stays would lose its source */
        return !row_any((g->co_after[e] | g->readers[e]) & there);
    if (n->kind == NODE_CHOICE)
        return n->value == 0 && n->rf != LATE;
    return (n->rf < 0 || row_has(there, n->rf)) &&
           !row_any(graph_co_after(g, n->rf, n->location) & there);
}

ROW_INLINE row revisit_prefix(const struct graph *g,
                              const struct new_write *write)
{
    return write->read != NONE ? graph_prefix(g, write->read)
                               : graph_prefix_of_next(g, write->thread);
}

struct revisit {
    const struct new_write *write;
    row keep;
    int read;           /* in the old graph; of a bundle, the first */
    const int *after;   /* the write's place in co, in the old graph; of each of
                           its parts */
    const int *sources; /* of each part of the read: in the old graph, or NEW;
                           NULL: there is one part, and it is NEW */
    const struct graph_parts *parts; /* that the read has then; NULL: as before
                                      */
    int grows;                       /* how many more these are */
    bool claims;                     /* it still waits for other sources */
};

/* The part of the new write that is at the same location. */
#define NEW (-3)

void revisit_try(struct walk *w, int level, const struct revisit *v);

/* The kept write that follows `after` in co; NONE: there is none. */
int revisit_next_kept(const struct graph *g, int after, unsigned location,
                      row keep);

/* All revisits of a write where it is a bundle, or the read is. */
void revisit_bundles(struct walk *w, int level, const struct new_write *write,
                     row rivals);

#endif
