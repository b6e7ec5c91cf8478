/* SPDX-License-Identifier: MIT
 *
 * How an execution ends, for fault.c: see driver.c.
 */
#ifndef RUNTIME_DRIVER_H
#define RUNTIME_DRIVER_H

#include "runtime/rt.h"

/* Leaves the program; `how` and what is in the channel are the result. */
_Noreturn void driver_end(enum execution_end how);

/* Standalone: the program runs without the tool, as itself. */
bool driver_is_standalone(void);

/* Outcome of the execution so far, from fencer_observe.  Counting it gives its
 * number + 1 in the channel, 0: there is none. */
void observe_map(void);
void observe_forget(void); /* all that were counted */
void observe_reset(void);
uint32_t observe_count(void);
/* What follows is another thread's of a test. */
void observe_next_thread(void);
bool observe_is_empty(void);
/* All threads of a test are done: is it what they may observe? */
void observe_judge(uint32_t site);

/* Fault handlers on a stack of their own. */
void fault_install(void);

#endif
