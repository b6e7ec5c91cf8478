/* SPDX-License-Identifier: MIT
 *
 * `random`: at each step perhaps another thread, perhaps a commit.
 *
 * How often is drawn anew for each execution (swarm testing): some bugs want a
 * switch at every access and stores that stay buffered for long, others long
 * undisturbed stretches.  One setting for all would find only one sort.
 *
 * Long programs are looked at in bursts: after the first dense phase, stretches
 * of back edges without a look, of geometric length, so that each place of the
 * program has the same chance of being looked at.
 */
#include "schedule/schedule.h"

#include "event/must.h"
#include "schedule/pick.h"

#define SPARSE_MEAN 40000u /* back edges between two dense phases */

static uint64_t rng;
static uint32_t switch_parts, commit_parts, stale_parts; /* of 1024 */

static void random_begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    static const uint16_t switches[] = {40, 200, 400, 700};
    static const uint16_t commits[] = {20, 80, 250, 600};
    static const uint16_t stales[] = {100, 500, 900, 1000};

    (void)depth;
    rng = rng_seed(seed, run);
    switch_parts = switches[rng_below(&rng, 4)];
    commit_parts = commits[rng_below(&rng, 4)];
    stale_parts = stales[rng_below(&rng, 4)];
}

static uint32_t commit_any(const struct sched_view *view)
{
    uint32_t t = view->buffering[rng_below(&rng, view->buffering_count)];

    return pick_commit(view, t, &rng);
}

/* That thread's turn.  An operation that drains its buffer would do so in one
 * go, and nobody would see the stores arrive one by one: so they are committed
 * before it, and others may run in between.  An exit always drains, other
 * operations perhaps. */
static uint32_t run_or_commit(const struct sched_view *view, uint32_t t)
{
    const struct sched_thread *thread = &view->threads[t];
    uint8_t kind = thread->op.kind;

    if (thread->buffer_at != UINT32_MAX && kind != EV_LOAD &&
        kind != EV_STORE && (kind == EV_EXIT || rng_chance(&rng, 60)))
        return pick_commit(view, t, &rng);
    return DECISION(DECIDE_RUN, t);
}

static uint32_t pick_other(const struct sched_view *view)
{
    uint32_t n = view->ready_count;
    uint32_t at = rng_below(&rng, n);
    uint32_t t = view->ready[at];

    MUST(at < n);
    /* Another than the current one, and if it can be one that did not just
     * give way. */
    for (uint32_t i = 0; i < n && n > 1; i++) {
        if (t != view->current && !view->threads[t].spun)
            break;
        at = at + 1 == n ? 0 : at + 1;
        t = view->ready[at];
    }
    if (t == view->current && n > 1)
        t = view->ready[at + 1 == n ? 0 : at + 1];
    return t;
}

static uint32_t random_next(const struct sched_view *view)
{
    uint32_t t = view->current;

    if (view->buffering_count &&
        (rng_chance(&rng, commit_parts) || !view->ready_count))
        return commit_any(view);
    if (view->timed_count && (!view->ready_count || rng_chance(&rng, 8)))
        return pick_wake(view, &rng);
    if (view->threads[t].ready_at == UINT32_MAX || view->threads[t].spun ||
        rng_chance(&rng, switch_parts))
        t = pick_other(view);
    return run_or_commit(view, t);
}

static uint32_t random_choose(enum decision_kind kind, uint32_t n)
{
    if (kind != DECIDE_STALE)
        return rng_below(&rng, n);
    MUST(n > 1);
    if (!rng_chance(&rng, stale_parts))
        return 0;
    return 1 + rng_below(&rng, n - 1);
}

static uint32_t random_ticks(bool after_dense)
{
    if (!after_dense)
        return 0;
    return 1 + rng_below(&rng, 2 * SPARSE_MEAN);
}

const struct strategy strategy_random = {
    .name = "random",
    .begin = random_begin,
    .next = random_next,
    .choose = random_choose,
    .ticks = random_ticks,
};
