/* SPDX-License-Identifier: MIT
 *
 * Store buffers and the memory behind them, for the machine: see buffer.c.
 */
#ifndef RUNTIME_BUFFER_H
#define RUNTIME_BUFFER_H

#include <string.h>

#include "runtime/rt.h"

/* Words of the program, which need not be aligned. */
typedef uint16_t memory_2 __attribute__((aligned(1), may_alias));
typedef uint32_t memory_4 __attribute__((aligned(1), may_alias));
typedef uint64_t memory_8 __attribute__((aligned(1), may_alias));

/* An access' bytes. */
struct value {
    uint64_t word[2];
};

extern char __start_fencer_ghost[] __attribute__((weak));
extern char __stop_fencer_ghost[] __attribute__((weak));

static inline bool memory_is_ghost(uint64_t address)
{
    return address >= (uint64_t)__start_fencer_ghost &&
           address < (uint64_t)__stop_fencer_ghost;
}

static inline struct value memory_read(uint64_t address, unsigned size)
{
    struct value v = {{0, 0}};

    switch (size) {
    case 1:
        v.word[0] = *(const uint8_t *)address;
        break;
    case 2:
        v.word[0] = *(const memory_2 *)address;
        break;
    case 4:
        v.word[0] = *(const memory_4 *)address;
        break;
    case 8:
        v.word[0] = *(const memory_8 *)address;
        break;
    default:
        memcpy(&v, (const void *)address, size);
    }
    return v;
}

/* A write of t takes its place in memory, at a new moment. */
void memory_write(struct thread *t, uint64_t address, unsigned size,
                  const struct value *v, uint32_t event);

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
