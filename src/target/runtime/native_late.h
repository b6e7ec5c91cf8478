/* SPDX-License-Identifier: MIT
 *
 * Load buffering, after the other executions of a processor: native_late.c.
 */
#ifndef RUNTIME_NATIVE_LATE_H
#define RUNTIME_NATIVE_LATE_H

#include "graph/graph_engine.h"
#include "graph/thread_order.h"

/* All executions of the search; of a model by terms those with late loads, too.
 * `goes_on`: it begins in the middle, or with the latter. */
void native_search_processor(struct graph_search *s,
                             const struct graph_engine *by, bool goes_on);

/* Other work begins, and another search of it. */
void native_begin_late(void);
void native_forget_late(void);

/* Did a thread do more than fits, in an execution that is one? */
bool native_orders_are_full(const struct graph_search *s);

/* Was everything looked at for such loads, and nothing is left of that? */
bool native_settles_late(void);

/* Are there perhaps executions with late loads that were not explored?  Then
 * this is why. */
bool native_doubts_late(const struct graph_search *s, bool sees_part,
                        struct thread_pair *to);

#endif
