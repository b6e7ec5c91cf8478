/* SPDX-License-Identifier: MIT
 *
 * `directed`: not written yet.
 */
#include "schedule/schedule.h"

#include "schedule/pick.h"

static uint64_t rng;

static void begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    (void)depth;
    rng = rng_seed(seed, run);
}

static uint32_t next(const struct sched_view *view)
{
    if (view->ready_count)
        return DECISION(DECIDE_RUN,
                        view->ready[rng_below(&rng, view->ready_count)]);
    if (view->buffering_count)
        return pick_commit(view, view->buffering[0], &rng);
    return pick_wake(view, &rng);
}

static uint32_t choose(enum decision_kind kind, uint32_t n)
{
    (void)kind;
    return rng_below(&rng, n);
}

const struct strategy strategy_directed = {
    .name = "directed",
    .begin = begin,
    .next = next,
    .choose = choose,
    .ticks = pick_dense,
};
