/* SPDX-License-Identifier: MIT
 *
 * Store buffers and the memory behind them, for the machine: see buffer.c.
 */
#ifndef RUNTIME_BUFFER_H
#define RUNTIME_BUFFER_H

#include "runtime/rt.h"

/* An access' bytes. */
struct value {
    uint64_t word[2];
};

struct value memory_read(uint64_t address, unsigned size);
/* A write of t takes its place in memory, at a new moment. */
void memory_write(struct thread *t, uint64_t address, unsigned size,
                  const struct value *v, uint32_t event);
bool memory_is_ghost(uint64_t address);

/* A store goes to the end of t's buffer, which makes room if it is full. */
void buffer_push(struct thread *t, uint64_t address, unsigned size,
                 const struct value *v, rt_commit_fn *on_commit,
                 enum event_kind kind, uint32_t site, uint32_t event);

/* Takes what it can from t's own buffer; returns the bytes still needed, as a
 * mask.  *from, if 0, becomes the event of the newest store used. */
uint32_t buffer_forward(const struct thread *t, uint64_t address, unsigned size,
                        struct value *v, uint32_t *from);

/* Commit what an operation of t has to wait for. */
void buffer_drain_before_load(struct thread *t);
void buffer_drain_before_write(struct thread *t);
void buffer_drain_before_rmw(struct thread *t, uint64_t address, unsigned size);

#endif
