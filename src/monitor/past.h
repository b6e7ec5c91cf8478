/* SPDX-License-Identifier: MIT
 *
 * Happens-before of an SC execution, and what each thread did itself: the part
 * that all models have in common.  hb is kept as views: the newest write of a
 * cell that happens before a thread's last operation.
 */
#ifndef MONITOR_PAST_H
#define MONITOR_PAST_H

#include "monitor/op.h"
#include "monitor/view.h"

/* Views of a thread. */
enum { PAST_HB, PAST_OWN, PAST_READ, PAST_VIEWS };

struct past {
    struct views threads; /* PAST_VIEWS each */
    struct views writes;  /* of a cell: what happens before its newest write */
    struct views all;     /* ... or before any access; if reads[cell] */
    bool reads[CELLS_MAX];
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

static inline struct view *past_of(uint32_t thread, uint32_t which)
{
    return view_of(&past.threads, thread * PAST_VIEWS + which);
}

/* The newest write of a cell that happens before the thread's last operation;
 * the newest that it made; the newest that it has read. */
static inline int16_t past_hb(uint32_t thread, uint16_t cell)
{
    return view_lane(past_of(thread, PAST_HB), cell);
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
