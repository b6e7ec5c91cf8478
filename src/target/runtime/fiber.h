/* SPDX-License-Identifier: MIT
 *
 * Fibers, for the scheduler: see fiber.c.
 */
#ifndef RUNTIME_FIBER_H
#define RUNTIME_FIBER_H

#include "runtime/rt.h"

bool fiber_map(void);
/* A new stack for t, on which t->entry(t) will run. */
void fiber_prepare(struct thread *t);
/* Goes on as `to`; returns when somebody switches back. */
void fiber_switch(struct thread *to);

/* From the driver's own stack into the program, until fiber_leave. */
void fiber_run(struct thread *first);
_Noreturn void fiber_leave(void);

/* From the driver's stack into a thread where it stopped, until fiber_pause in
 * it, or fiber_leave. */
void fiber_resume(struct thread *t);
void fiber_pause(void);

#endif
