/* SPDX-License-Identifier: MIT
 *
 * Exploration from one execution to the next.
 */
#include "explore/explore.h"

#include "schedule/pick.h"

bool explore_open(struct channel_explore *orders, void *tree, uint64_t size)
{
    (void)orders;
    (void)tree;
    return size > 0;
}

bool explore_next(void)
{
    return false;
}

bool explore_exhausted(void)
{
    return false;
}

void explore_abandon(void)
{
}

static void begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    (void)seed;
    (void)run;
    (void)depth;
}

static uint32_t next(const struct sched_view *view)
{
    (void)view;
    return DECISION(DECIDE_END, SCHED_END_CUT);
}

static uint32_t choose(enum decision_kind kind, uint32_t n)
{
    (void)kind;
    (void)n;
    return 0;
}

const struct strategy strategy_explore = {
    .name = "explore",
    .begin = begin,
    .next = next,
    .choose = choose,
    .ticks = pick_dense,
    .footprints = true,
    .logs = true,
    .explores = true,
};
