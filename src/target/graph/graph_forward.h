/* SPDX-License-Identifier: MIT
 *
 * A random execution without revisits: see graph_engine.h.
 */
#ifndef GRAPH_GRAPH_FORWARD_H
#define GRAPH_GRAPH_FORWARD_H

#include "graph/graph_search_inside.h"

void forward_sample(struct graph_search *s, struct graph_sampling *how);

#endif
