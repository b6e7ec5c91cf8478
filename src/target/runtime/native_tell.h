/* SPDX-License-Identifier: MIT
 *
 * A graph in the channel, for the tool: as steps (native_steps.c) that a
 * machine can take, or as a trace (native_tell.c) if there is none.
 */
#ifndef RUNTIME_NATIVE_TELL_H
#define RUNTIME_NATIVE_TELL_H

#include "graph/graph_engine.h"

#define GRAPH_PLACES_MAX 1024 /* of the widest engine */

/* Events in an order in which they may take effect, and how threads ended. */
void native_put_steps(const struct graph_place *places, size_t count,
                      const struct graph_thread *threads,
                      unsigned thread_count);
/* The same, as one more of several lists.  False: there is no room. */
bool native_add_steps(const struct graph_place *places, size_t count,
                      const struct graph_thread *threads, unsigned thread_count,
                      bool fails);

/* `fails`: with how it fails.  False: some thread does not do the same again,
 * and the search is given up. */
bool native_tell(const struct graph_engine *engine,
                 const struct graph_search *search, const struct graph *g,
                 bool fails);

/* The same as one of several, with the number of what it observed: if the tool
 * wants to see those that SC does not have, and what fails, and it is one that
 * was not told yet.  When there is no room `full` is set.  `listing`: a search
 * knows that they are not too many. */
void native_tell_more(const struct graph_engine *engine,
                      const struct graph_search *search, const struct graph *g,
                      bool fails, uint32_t outcome, bool listing);
/* None was told. */
void native_tell_none(void);

/* The number + 1 of the operation at that node, in the trace told last. */
uint32_t native_told_as(behaviour_node node);

/* If the tool wants to know it, and nothing else was found: has a graph of SC a
 * data race by C11's happens-before?  Then it is told with both accesses. */
bool native_found_unordered(const struct graph_engine *engine,
                            struct graph_search *search, const struct graph *g);

#endif
