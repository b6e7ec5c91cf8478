/* SPDX-License-Identifier: MIT
 *
 * `rr`: round robin, without chance.  Each thread runs `quantum` steps, then
 * the next; before a thread's turn begins the oldest store of its buffer
 * commits, and that of a thread that sleeps and so has no turn: whoever spins
 * until it arrives must see it.  The quantum is the execution's number modulo
 * QUANTA, plus one, so that a few executions try a few rhythms.
 */
#include "schedule/schedule.h"

#include "schedule/pick.h"

#define QUANTA 12

static uint32_t quantum, left;
static uint32_t turn;
static bool committed, passed;

static void rr_begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    (void)depth;
    quantum = 1 + (uint32_t)((seed + run) % QUANTA);
    left = quantum;
    turn = 0;
    committed = passed = false;
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

/* A thread that is not ready but has stores on their way. */
static uint32_t sleeper(const struct sched_view *view)
{
    for (uint32_t i = 0; i < view->buffering_count; i++) {
        uint32_t t = view->buffering[i];

        if (view->threads[t].ready_at == UINT32_MAX)
            return t;
    }
    return UINT32_MAX;
}

static uint32_t rr_next(const struct sched_view *view)
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
        committed = passed = false;
    }
    if (!passed) {
        uint32_t t = sleeper(view);

        passed = true;
        if (t != UINT32_MAX)
            return DECISION(DECIDE_COMMIT, t << 12);
    }
    if (!committed && view->threads[turn].buffer_at != UINT32_MAX) {
        committed = true;
        return DECISION(DECIDE_COMMIT, turn << 12);
    }
    if (left)
        left--;
    return DECISION(DECIDE_RUN, turn);
}

static uint32_t rr_choose(enum decision_kind kind, uint32_t n)
{
    (void)kind;
    (void)n;
    return 0;
}

const struct strategy strategy_rr = {
    .name = "rr",
    .begin = rr_begin,
    .next = rr_next,
    .choose = rr_choose,
    .ticks = pick_dense,
};
