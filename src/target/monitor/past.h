/* SPDX-License-Identifier: MIT
 *
 * Happens-before of an SC execution, and what each thread did itself: the part
 * that all models have in common.
 *
 * hb is kept as vector clocks that count writes: w happens before something if
 * the clock there counts as many of w's thread's writes as there were with w
 * (write.stamp).
 */
#ifndef MONITOR_PAST_H
#define MONITOR_PAST_H

#include "monitor/monitor.h"
#include "monitor/op.h"
#include "monitor/view.h"

/* Views of a thread: the newest write of each cell that it made, that it
 * read. */
enum { PAST_OWN, PAST_READ, PAST_VIEWS };

struct past_clock {
    int16_t at[MONITOR_THREADS_MAX]; /* writes of each thread */
} __attribute__((aligned(16)));

struct past {
    struct views threads;                      /* PAST_VIEWS each */
    struct past_clock hb[MONITOR_THREADS_MAX]; /* before its last operation */
    struct past_clock *writes; /* of a cell: before its newest write */
    struct past_clock *all;    /* ... or before any access; if reads[cell] */
    bool reads[CELLS_MAX];
    uint32_t width; /* numbers of a clock that are in use */
};

extern struct past past;

bool past_map(void);
void past_forget(void);
void past_cell(uint16_t new);
void past_split(uint16_t old, uint16_t new);

/* A thread without a past; and what y does comes after what x did. */
void past_start(uint32_t thread);
void past_order(uint32_t x, uint32_t y);

/* The operation happened; its cells do not know yet. */
void past_step(const struct op *op);

/* The newest write of `cell` after w_above that happens before the thread's
 * last operation, or before the newest write of another cell (`all`: before
 * any access of it); 0: none. */
int16_t past_hb(uint32_t thread, uint16_t cell, int16_t above);
int16_t past_before(uint16_t other, bool all, uint16_t cell, int16_t above);

/* Does w happen before the thread's last operation? */
static inline bool past_has(uint32_t thread, const struct write *w)
{
    return w->stamp <= past.hb[thread].at[w->thread];
}

static inline struct view *past_of(uint32_t thread, uint32_t which)
{
    return view_of(&past.threads, thread * PAST_VIEWS + which);
}

static inline int16_t past_own(uint32_t thread, uint16_t cell)
{
    return view_lane(past_of(thread, PAST_OWN), cell);
}

static inline int16_t past_read(uint32_t thread, uint16_t cell)
{
    return view_lane(past_of(thread, PAST_READ), cell);
}

#endif
