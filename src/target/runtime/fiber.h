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

/* Whose stack, or thread-local memory, is that? */
uint32_t fiber_of(uint64_t address);
/* What dies with a thread, as far as it is looked at: the outer part of its
 * stack, and its thread-local variables.  Empty: the first thread's stays. */
struct fiber_range {
    uint64_t start, end;
} fiber_mortal(const struct thread *t);
/* The thread has ended: touching that is a finding from now on. */
void fiber_die(const struct thread *t);
/* An execution begins: nobody has. */
void fiber_revive(void);

#endif
