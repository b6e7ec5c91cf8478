/* SPDX-License-Identifier: MIT
 *
 * Random executions that shall close a cycle: see graph_goal.c.
 */
#ifndef GRAPH_GRAPH_GOAL_H
#define GRAPH_GRAPH_GOAL_H

#include "graph/graph_search_inside.h"

/* A new sample begins. */
void goal_begin(struct graph_goal *goal);

/* Which node of the goal the thread's next access may be; NONE: none. */
int goal_node_of(const struct graph_goal *goal, unsigned thread,
                 const struct op *op);

/* Does that node read what is still to be written? */
bool goal_waits(const struct graph_goal *goal, int node);

/* Would it close the edges to the nodes that are there if it came after that
 * write, or read it? */
bool goal_fits(const struct graph_goal *goal, const struct graph *g, int node,
               int write, unsigned location);

/* The last event of that thread is that node. */
void goal_note(struct graph_goal *goal, const struct graph *g, int node,
               unsigned thread);

/* Is the cycle there? */
bool goal_is_closed(const struct graph_goal *goal, const struct graph *g);

#endif
