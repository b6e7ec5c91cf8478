/* SPDX-License-Identifier: MIT
 *
 * `pct`: probabilistic concurrency testing.  Every thread has a random
 * priority, the highest that is ready runs, and at depth - 1 random steps the
 * running one falls below all others: a bug of depth d is found with a
 * probability that does not depend on how many threads there are.
 *
 * A store buffer is a thread of its own here, with a priority of its own, that
 * commits one store when its turn comes.
 *
 * PCT wants to know the execution's length beforehand.  No execution may depend
 * on an earlier one, so the length is guessed, anew each time, among powers of
 * four.
 */
#include "schedule/schedule.h"

#include "event/must.h"
#include "schedule/pick.h"

#define DEFAULT_DEPTH 3
#define MAX_DEPTH 32
#define LONG_RUN 5000 /* steps of one thread in a row, then it falls */

static uint64_t rng;
static uint32_t depth;
static uint64_t change[MAX_DEPTH];
static uint64_t buffers[SCHED_MAX_THREADS];
static uint32_t runner, run_length;
static uint64_t lowest; /* falls with each change, below all priorities */

static void pct_begin(uint64_t seed, uint64_t run, uint32_t wanted)
{
    uint32_t length;

    rng = rng_seed(seed, run);
    depth = wanted ? wanted : DEFAULT_DEPTH;
    if (depth > MAX_DEPTH)
        depth = MAX_DEPTH;
    length = 16u << 2 * rng_below(&rng, 6);
    for (uint32_t i = 0; i + 1 < depth; i++)
        change[i] = 1 + rng_below(&rng, length);
    lowest = 1ull << 32;
    runner = run_length = 0;
}

static uint64_t high_priority(void)
{
    return (rng_next(&rng) >> 1) | 1ull << 62;
}

static void pct_made(const struct sched_view *view, uint32_t thread)
{
    MUST(thread < view->thread_count);
    view->threads[thread].priority = high_priority();
    buffers[thread] = high_priority();
}

/* The thread, or the buffer, whose turn it is. */
struct turn {
    uint64_t priority;
    uint32_t thread;
    bool commits;
};

static struct turn highest(const struct sched_view *view)
{
    struct turn best = {0, 0, false};

    for (uint32_t i = 0; i < view->ready_count; i++) {
        uint32_t t = view->ready[i];
        uint64_t p = view->threads[t].priority;

        if (p > best.priority)
            best = (struct turn){p, t, false};
    }
    for (uint32_t i = 0; i < view->buffering_count; i++) {
        uint32_t t = view->buffering[i];

        if (buffers[t] > best.priority)
            best = (struct turn){buffers[t], t, true};
    }
    MUST(best.priority);
    return best;
}

static void lower(const struct sched_view *view, const struct turn *turn)
{
    if (turn->commits)
        buffers[turn->thread] = --lowest;
    else
        view->threads[turn->thread].priority = --lowest;
}

static bool at_change(uint64_t step)
{
    for (uint32_t i = 0; i + 1 < depth; i++)
        if (change[i] == step) {
            change[i] = 0;
            return true;
        }
    return false;
}

/* A loop that waits for others and counts its tries is no await, and the
 * highest priority would keep it running for ever. */
static bool ran_too_long(uint32_t thread)
{
    run_length = thread == runner ? run_length + 1 : 0;
    runner = thread;
    return run_length > LONG_RUN;
}

static uint32_t pct_next(const struct sched_view *view)
{
    struct sched_thread *current = &view->threads[view->current];
    struct turn best;

    if (current->spun) {
        current->priority = --lowest;
        current->spun = false;
    }
    if (view->timed_count &&
        ((!view->ready_count && !view->buffering_count) || rng_chance(&rng, 4)))
        return pick_wake(view, &rng);
    best = highest(view);
    if (at_change(view->steps) ||
        (!best.commits && ran_too_long(best.thread))) {
        lower(view, &best);
        best = highest(view);
    }
    if (!best.commits)
        return DECISION(DECIDE_RUN, best.thread);
    return pick_commit(view, best.thread, &rng);
}

static uint32_t pct_choose(enum decision_kind kind, uint32_t n)
{
    (void)kind;
    return rng_below(&rng, n);
}

const struct strategy strategy_pct = {
    .name = "pct",
    .begin = pct_begin,
    .next = pct_next,
    .choose = pct_choose,
    .ticks = pick_dense,
    .made = pct_made,
};
