/* SPDX-License-Identifier: MIT
 *
 * `witness`: brings about the execution in which given accesses take effect in
 * a given order.
 */
#include "schedule/schedule.h"

#include "schedule/pick.h"

void strategy_witness_list(const struct witness_step *steps, uint64_t count)
{
    (void)steps;
    (void)count;
}

bool strategy_witness_done(void)
{
    return false;
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
    return DECISION(DECIDE_END, 0);
}

static uint32_t choose(enum decision_kind kind, uint32_t n)
{
    (void)kind;
    (void)n;
    return 0;
}

const struct strategy strategy_witness = {
    .name = "witness",
    .begin = begin,
    .next = next,
    .choose = choose,
    .ticks = pick_dense,
};
