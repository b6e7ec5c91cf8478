/* SPDX-License-Identifier: MIT
 *
 * All critical cycles of a graph that have a marked pair.
 */
#ifndef PREDICT_PREDICT_SEARCH_H
#define PREDICT_PREDICT_SEARCH_H

#include "predict/predict_cycles.h"
#include "predict/predict_graph.h"

struct search_limits {
    unsigned min_length, max_length;
    size_t max_cycles;
    uint64_t steps; /* left; counts down */
};

/* Adds each to the set.  False: a limit was reached, some are missing. */
bool search_cycles(const struct graph *g, struct search_limits *limits,
                   struct cycles *found);

#endif
