/* SPDX-License-Identifier: MIT
 *
 * How an execution ends, for fault.c: see driver.c.
 */
#ifndef RUNTIME_DRIVER_H
#define RUNTIME_DRIVER_H

#include "runtime/rt.h"

enum execution_end {
    END_NONE, /* still running */
    END_COMPLETE,
    END_FAILED,
    END_CUT,    /* max_events */
    END_ASSUMED /* fencer_assume */
};

/* Leaves the program; `how` and what is in the channel are the result. */
_Noreturn void driver_end(enum execution_end how);

/* Standalone: the program runs without the tool, as itself. */
bool driver_is_standalone(void);

/* Outcome of the execution so far, from fencer_observe. */
void observe_map(void);
void observe_reset(void);
void observe_count(void);

/* Fault handlers on a stack of their own. */
void fault_install(void);

#endif
