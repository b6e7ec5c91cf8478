/* SPDX-License-Identifier: MIT
 *
 * Fibers and whose turn it is: see sched.c.
 */
#ifndef RUNTIME_SCHED_H
#define RUNTIME_SCHED_H

#include "runtime/rt.h"

bool sched_map(void);
/* An execution begins: thread 0 will run entry. */
void sched_begin(void (*entry)(struct thread *t));
/* Run it until sched_stop; called by the driver. */
void sched_run(void);
/* Leave the program's fibers for good and return from sched_run. */
_Noreturn void sched_stop(void);

/* The buffer of t got its first entry, or lost its last. */
void sched_buffer_used(struct thread *t);
void sched_buffer_empty(struct thread *t);

/* Memory changed there: wakes spin loops that read it. */
void sched_memory_changed(uint64_t address, unsigned size);

/* A recorded choice of the strategy. */
uint32_t sched_choose(enum decision_kind kind, uint32_t n);

/* While a commit writes memory, a fault is that store's, not the running
 * thread's: sets who and where; NULL ends it. */
void sched_blame(struct thread *t, uint32_t site);
struct thread *sched_blamed(uint32_t *site);

#endif
