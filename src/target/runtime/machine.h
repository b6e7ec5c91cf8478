/* SPDX-License-Identifier: MIT
 *
 * The memory machine, for the rest of the runtime: see machine.c.
 */
#ifndef RUNTIME_MACHINE_H
#define RUNTIME_MACHINE_H

#include "runtime/rt.h"

/* Before the first execution: maps the buffers and tables. */
void machine_map(void);
/* Start of an execution, or of a sparse phase: no buffers, no histories. */
void machine_forget(void);
void machine_thread_start(struct thread *t);

/* Positions of t's buffer that may commit now. */
uint32_t machine_committable(uint32_t thread, uint16_t *positions,
                             uint32_t max);
/* The store at that position of a thread's buffer, and how many there are. */
struct sched_op machine_buffered(uint32_t thread, uint32_t position);
uint32_t machine_buffered_count(uint32_t thread);

/* Is what the thread announced a load that first commits stores from before a
 * store-load fence? */
bool machine_load_waits(const struct thread *t);

/* What the thread is about to do, if that is an access that it waits to make:
 * a lock, a semaphore, the next load of a spin loop.  False: nothing of the
 * kind. */
bool machine_pending(uint32_t thread, struct happening *h);

bool machine_may_commit(const struct thread *t, uint32_t position);
void machine_commit(struct thread *t, uint32_t position);

/* A load's value as the thread sees it now, without choosing an older one. */
uint64_t machine_peek(const struct thread *t, uint64_t address, unsigned size);

/* 16-byte atomics: values in private memory. */
void machine_load16(const void *address, void *out, enum event_order order,
                    uint32_t site);
void machine_store16(void *address, const void *value, enum event_order order,
                     uint32_t site);
void machine_rmw16(void *address, enum rmw_op op, const void *operand,
                   void *old, enum event_order order, uint32_t site);
void machine_cas16(void *address, const void *expected, const void *desired,
                   void *old, enum event_order success,
                   enum event_order failure, uint32_t site);

/* The largest aligned access of at most 8 bytes at that address. */
unsigned machine_chunk(uint64_t address, uint64_t left);
/* Ranges as sequences of such accesses, ascending. */
void machine_copy_out(const void *address, void *to, uint64_t size,
                      uint32_t site);
void machine_copy_in(void *address, const void *from, uint64_t size,
                     uint32_t site);

#endif
