/* SPDX-License-Identifier: MIT
 *
 * All executions on any model, by sleep sets alone: what strategy_every.c does,
 * with spin loops that wait, with monitors, and with data races on SC.  It is
 * for programs that graphs do not have (docs/decisions/16-one-engine.md).
 *
 * Both want to know what a step touched.  A choice in the middle of one ends it
 * for the clocks of SC, but not for the sleep sets: their footprint is gathered
 * beside.
 */
#include <string.h>

#include "explore/explore_inside.h"

#define SLEEP_MAGIC 0x31504545534e4650ull

/* Before the tree of the other strategy. */
struct head {
    uint64_t magic, used; /* these two first: others copy it */
    uint32_t incomplete, reserved;
    char why[128];
};

static struct head *head;
static struct footprint gathered;

static bool open(const struct channel_explore *orders, void *region)
{
    (void)orders;
    head = region;
    strategy_every_region(head + 1, CHANNEL_SEARCH_MAX - sizeof *head);
    if (head->magic != SLEEP_MAGIC)
        strategy_every.forget();
    head->magic = SLEEP_MAGIC;
    head->used = sizeof *head + strategy_every_size();
    return true;
}

static bool prepare(const struct channel *job)
{
    execution.fresh = 0;
    return !strategy_every.is_over(job);
}

static void begin(void)
{
    footprint_clear(&gathered);
    strategy_every.begin(0, 0, 0);
}

static void closing(const struct sched_view *view)
{
    footprint_unite(&gathered, view->footprint);
}

static uint32_t next(const struct sched_view *view)
{
    uint32_t d;

    footprint_unite(view->footprint, &gathered);
    footprint_clear(&gathered);
    d = strategy_every.next(view);
    if ((d & 7) != DECIDE_END && execution.is_tracked)
        steps_open(view, d, d); /* nothing commits: they are the same */
    return d;
}

static uint32_t choose(uint32_t thread, enum decision_kind kind, uint32_t n)
{
    uint32_t chosen = strategy_every.choose(kind, n);

    if (execution.is_tracked)
        steps_open(NULL, who_of(DECIDE_CHOOSE, thread, chosen), 0);
    return chosen;
}

static bool counts(void)
{
    return true;
}

static void end(const struct sched_view *view)
{
    strategy_every.end(view);
    head->used = sizeof *head + strategy_every_size();
}

static void lost(const char *why)
{
    if (!head->incomplete)
        strncpy(head->why, why, sizeof head->why - 1);
    head->incomplete = 1;
}

static void abandon(const struct sched_view *view)
{
    lost("an execution destroyed its process");
    end(view);
}

static void tell(struct channel_explore *orders)
{
    const char *missing = strategy_every_missing();

    if (missing)
        lost(missing);
    orders->incomplete = head->incomplete;
    memcpy(orders->why, head->why, sizeof orders->why);
}

static bool is_complete(void)
{
    return strategy_every.is_exhausted() && !head->incomplete;
}

const struct explore_way explore_by_sleep = {
    .open = open,
    .prepare = prepare,
    .begin = begin,
    .closing = closing,
    .next = next,
    .choose = choose,
    .counts = counts,
    .end = end,
    .abandon = abandon,
    .lost = lost,
    .tell = tell,
    .is_complete = is_complete,
};
