/* SPDX-License-Identifier: MIT
 *
 * `rr`: round robin, without chance.  Each thread runs `quantum` steps, then
 * the next; before a thread's turn begins the oldest store of its buffer
 * commits.  The quantum is the execution's number modulo QUANTA, plus one, so
 * that a few executions try a few rhythms.
 */
#include "schedule/schedule.h"

#define QUANTA 12

static uint32_t quantum, left;
static uint32_t turn;
static bool committed;

static void begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    (void)depth;
    quantum = 1 + (uint32_t)((seed + run) % QUANTA);
    left = quantum;
    turn = 0;
    committed = false;
}

/* The next thread after `turn` that is ready. */
static uint32_t following(const struct sched_view *view)
{
    uint32_t t = turn;

    do
        t = t + 1 >= view->thread_count ? 0 : t + 1;
    while (view->threads[t].ready_at == UINT32_MAX && t != turn);
    return t;
}

static uint32_t next(const struct sched_view *view)
{
    const struct sched_thread *now;

    if (!view->ready_count) {
        if (view->buffering_count)
            return DECISION(DECIDE_COMMIT, (uint32_t)view->buffering[0] << 12);
        return DECISION(DECIDE_WAKE, view->timed[0]);
    }
    now = &view->threads[turn];
    if (now->ready_at == UINT32_MAX || !left || now->spun) {
        turn = following(view);
        left = quantum;
        committed = false;
    }
    if (!committed && view->threads[turn].buffer_at != UINT32_MAX) {
        committed = true;
        return DECISION(DECIDE_COMMIT, turn << 12);
    }
    if (left)
        left--;
    return DECISION(DECIDE_RUN, turn);
}

static uint32_t choose(enum decision_kind kind, uint32_t n)
{
    (void)kind;
    (void)n;
    return 0;
}

static uint32_t ticks(bool after_dense)
{
    (void)after_dense;
    return 0;
}

const struct strategy strategy_rr = {
    .name = "rr",
    .begin = begin,
    .next = next,
    .choose = choose,
    .ticks = ticks,
};
