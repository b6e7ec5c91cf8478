/* SPDX-License-Identifier: MIT
 *
 * How an execution ends, for fault.c: see driver.c.
 */
#ifndef RUNTIME_DRIVER_H
#define RUNTIME_DRIVER_H

#include "runtime/rt.h"

/* Leaves the program; `how` and what is in the channel are the result. */
_Noreturn void driver_end(enum execution_end how);

/* A new execution, of which nothing has run yet. */
void driver_begin(void);

/* Standalone: the program runs without the tool, as itself. */
bool driver_is_standalone(void);

/* Outcome of the execution so far, from fencer_observe.  Counting it gives its
 * number + 1 in the channel, 0: there is none. */
void observe_map(void);
void observe_forget(void); /* all that were counted */
void observe_reset(void);
uint32_t observe_count(void);
/* The outcome of a graph, put together: what the first thread observed before
 * there were others (the same in every graph until it is forgotten), then what
 * each thread did. */
void observe_begin_graph(void);
void observe_by(uint32_t thread, const char *text);
void observe_forget_lone(void);
/* What follows is another thread's of a test. */
void observe_next_thread(void);
bool observe_is_empty(void);
/* Is it one of those in the spec region?  Was none of it too long for that? */
bool observe_is_allowed(void);
bool observe_is_whole(void);
/* All threads of a test are done: is it what they may observe? */
void observe_judge(uint32_t site);

/* Fault handlers on a stack of their own. */
void fault_install(void);

#endif
