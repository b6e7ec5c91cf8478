/* SPDX-License-Identifier: MIT
 *
 * Whose turn it is: see sched.c; and spin loops: see await.c.
 */
#ifndef RUNTIME_SCHED_H
#define RUNTIME_SCHED_H

#include "runtime/rt.h"

/* Back edges until __fencer_tick is called; 0: at each of them. */
extern int64_t __fencer_countdown;

bool sched_map(void);
/* An execution begins: thread 0 will run entry. */
void sched_begin(void (*entry)(struct thread *t));
/* Run it until sched_stop; called by the driver. */
void sched_run(void);
bool sched_is_running(void);
/* Run that thread alone, from where it stopped until it stops (native.h). */
void sched_resume(struct thread *t);
/* Leave the program's fibers for good and return from sched_run. */
_Noreturn void sched_stop(void);

/* The buffer of t got its first entry, or lost its last. */
void sched_buffer_used(struct thread *t);
void sched_buffer_empty(struct thread *t);

/* Memory changed there: wakes spin loops that read it. */
void sched_memory_changed(uint64_t address, unsigned size);

/* Memory may have changed anywhere, by code without hooks: wakes whoever would
 * read something else now.  False: nobody. */
bool sched_recheck_awaits(void);

/* Explored: a round of that loop is over; it may have been one too many. */
void unroll_count(struct thread *t, uint32_t mark, uint32_t site);

/* A thread in a spin loop would read something else now. */
bool await_is_over(const struct thread *t);

/* The running thread waits until sched_wake: what it read has changed. */
void sched_sleep(void);
void sched_wake(struct thread *t);

/* Phases: look at every access for that many steps; do what the strategy says;
 * one thread is left, and nobody can see the order of its accesses. */
void sched_look(uint32_t steps);
/* Accesses that nobody else needs to see are no longer seen for the trace. */
void sched_end_trace(void);
void sched_next_phase(void);
void sched_alone(void);

/* A recorded choice of the strategy. */
uint32_t sched_choose(enum decision_kind kind, uint32_t n);

/* While a commit writes memory, a fault is that store's, not the running
 * thread's: sets who and where; NULL ends it. */
void sched_blame(struct thread *t, uint32_t site);
struct thread *sched_blamed(uint32_t *site);

#endif
