/* SPDX-License-Identifier: MIT
 *
 * What holds for an access wherever it is in its thread's program order: the
 * locks its thread holds, and what thread creation and join put before it.
 * Both are numbers that mean the same in all traces.
 */
#ifndef PREDICT_HELD_H
#define PREDICT_HELD_H

#include "predict/intern.h"
#include "trace/trace.h"

struct held_tables {
    struct intern clocks; /* per thread: how many of its creations are before */
    struct intern locks;  /* address of the lock, twice, + 1: to write */
};

struct held_thread;

/* A walk through one trace. */
struct held {
    struct held_tables *tables;
    const struct trace *t;
    struct held_thread *threads;
    struct arena *arena;
};

void held_init(struct held *h, struct held_tables *tables,
               const struct trace *t, struct arena *a);
void held_step(struct held *h, const struct event *e);

/* Of the thread, now. */
uint32_t held_clock(struct held *h, uint16_t thread);
uint32_t held_locks(struct held *h, uint16_t thread);

/* Do creation and join order an access of thread a at clock ca and one of
 * thread b at clock cb? */
bool held_ordered(const struct held_tables *tables, uint32_t a, uint32_t ca,
                  uint32_t b, uint32_t cb);

/* Do two lock sets have a lock that keeps their holders apart? */
bool held_exclude(const struct held_tables *tables, uint32_t a, uint32_t b);

#endif
