/* SPDX-License-Identifier: MIT
 *
 * What the strategies that draw lots have in common.
 */
#ifndef SCHEDULE_PICK_H
#define SCHEDULE_PICK_H

#include "event/must.h"
#include "schedule/rng.h"
#include "schedule/schedule.h"

#define PICK_POSITIONS 32 /* stores of one buffer to choose among, at most */

/* One of that thread's stores that may commit now. */
static inline uint32_t pick_commit(const struct sched_view *view,
                                   uint32_t thread, uint64_t *rng)
{
    uint16_t positions[PICK_POSITIONS];
    uint32_t n = view->committable(thread, positions, PICK_POSITIONS);
    uint32_t at = positions[n > 1 ? rng_below(rng, n) : 0];

    MUST(n && n <= PICK_POSITIONS);
    return DECISION(DECIDE_COMMIT, thread << 12 | at);
}

/* One of the timed waits ends. */
static inline uint32_t pick_wake(const struct sched_view *view, uint64_t *rng)
{
    MUST(view->timed_count);
    return DECISION(DECIDE_WAKE,
                    view->timed[rng_below(rng, view->timed_count)]);
}

/* For strategies that look at every access. */
static inline uint32_t pick_dense(bool after_dense)
{
    (void)after_dense;
    return 0;
}

#endif
