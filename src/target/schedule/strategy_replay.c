/* SPDX-License-Identifier: MIT
 *
 * `replay`: the decisions of an earlier execution, one by one.  At their end,
 * or where they do not fit (the program changed), it goes on with what can be
 * done and says so.
 */
#include "schedule/schedule.h"

#include "event/must.h"

static const uint32_t *list;
static uint64_t list_count, at;
static bool fitted = true;

static bool replay_open(struct channel *job, const struct model *model)
{
    (void)model;
    list = (const uint32_t *)((const char *)job + CHANNEL_SCHEDULE_AT);
    list_count = job->schedule_count;
    if (list_count > CHANNEL_SCHEDULE_MAX)
        list_count = CHANNEL_SCHEDULE_MAX;
    return true;
}

static bool replay_is_done(void)
{
    return fitted;
}

static void replay_begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    (void)seed;
    (void)run;
    (void)depth;
    at = 0;
    fitted = true;
}

/* The next decision's number if it is of that kind. */
static bool take_decision(enum decision_kind kind, uint32_t *number)
{
    if (at >= list_count || (list[at] & 7) != (uint32_t)kind) {
        fitted = false;
        return false;
    }
    *number = list[at++] >> 3;
    MUST(at <= list_count);
    return true;
}

static uint32_t replay_next(const struct sched_view *view)
{
    (void)view;
    if (at < list_count && (list[at] & 7) != DECIDE_STALE &&
        (list[at] & 7) != DECIDE_CHOOSE && (list[at] & 7) != DECIDE_TICKS)
        return list[at++];
    fitted = false;
    return UINT32_MAX; /* fits nothing: the runtime takes what it can do */
}

static uint32_t replay_choose(enum decision_kind kind, uint32_t n)
{
    uint32_t number = 0;

    return take_decision(kind, &number) && number < n ? number : 0;
}

static uint32_t replay_ticks(bool after_dense)
{
    uint32_t number = 0;

    (void)after_dense;
    return take_decision(DECIDE_TICKS, &number) ? number : 0;
}

const struct strategy strategy_replay = {
    .name = "replay",
    .begin = replay_begin,
    .next = replay_next,
    .choose = replay_choose,
    .ticks = replay_ticks,
    .open = replay_open,
    .is_done = replay_is_done,
    .repeats = true,
};
