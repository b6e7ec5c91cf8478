/* SPDX-License-Identifier: MIT
 *
 * Places in the tree of a search, and parts of it.
 *
 * A node has its children in a fixed order, and then itself, if it is an
 * execution: so all executions have an order, that in which one search finds
 * them.  A way is the number of the child at each level, from 1, and stands for
 * all that is below.  It is a way through that one tree: of the same program,
 * with the same choices of ours.
 *
 * A part is what comes after one way, up to the end of another.  Such a way may
 * end in a child that its node does not have: then it stands for the end of the
 * node.
 */
#ifndef GRAPH_GRAPH_WAY_H
#define GRAPH_GRAPH_WAY_H

#include <stdbool.h>
#include <stdint.h>

#define GRAPH_LEVELS_MAX 4096

struct graph_way {
    uint32_t count;
    uint32_t child[GRAPH_LEVELS_MAX];
};

/* Where to cut a part of which all up to `at` is done; `until`: no levels, if
 * nothing comes after it in the tree.  It is cut high up, where what is cut off
 * may be large, or `deeper` by so many levels.  False: it cannot be cut. */
bool graph_way_cut(const struct graph_way *at, const struct graph_way *until,
                   uint32_t deeper, struct graph_way *to);

#endif
