/* SPDX-License-Identifier: MIT
 *
 * `relaxer`: phase II of Relaxer (ISSTA 2011, figures 7 to 9) in logical time.
 * The first access of each pair of the cycle is delayed, a store in its buffer,
 * a load by a pause of its thread, so that the racing access of another thread
 * can come before it.  The second of each pair is fast, which on PSLO means
 * that it reads the oldest value it may.  Each of these is done with
 * probability P only.  Otherwise threads run at random and stores commit when
 * their time has come.
 *
 * The figures wait at fences until the time of the last delayed store, but not
 * on PSLO.  An access that is alone in its thread stands for both of a pair.
 */
#include "schedule/schedule.h"

#include "schedule/goal.h"
#include "schedule/pick.h"

#define P 512         /* of 1024 */
#define DELAY_LOAD 40 /* steps; less than a store's, as the paper wants */
#define DELAY_STORE 120
#define DUE_MAX 64 /* stores of one buffer whose time is kept */

static uint64_t rng;

struct due {
    uint32_t count;
    uint64_t at[DUE_MAX]; /* by position in the buffer */
};
static struct due dues[SCHED_MAX_THREADS];
static uint64_t paused_until[SCHED_MAX_THREADS];
static bool was_paused[SCHED_MAX_THREADS];
static uint32_t last; /* decision */
static struct sched_op last_op;
static uint32_t running_site;

static void relaxer_begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    (void)depth;
    rng = rng_seed(seed, run);
    last = DECISION(DECIDE_TICKS, 0);
    goal_begin(run);
}

static void relaxer_made(const struct sched_view *view, uint32_t thread)
{
    (void)view;
    dues[thread].count = 0;
    paused_until[thread] = 0;
    was_paused[thread] = false;
}

/* Is the site one of those nodes, alone ones included? */
static bool is_at(uint32_t site, enum goal_pair pair)
{
    uint32_t nodes = goal_nodes_at(site);

    for (uint32_t i = 0; i < goal->node_count; i++)
        if (nodes >> i & 1 &&
            (goal->nodes[i].pair == pair || goal->nodes[i].pair == GOAL_ALONE))
            return true;
    return false;
}

/* ---- When stores commit ---- */

static void drop_due(struct due *d, uint32_t position)
{
    d->count--;
    for (uint32_t i = position; i < d->count; i++)
        d->at[i] = d->at[i + 1];
}

/* before_store of the figures, and what a drain took away. */
static void keep_times(const struct sched_view *view)
{
    uint32_t thread = last >> 3;
    struct due *d;
    uint32_t n;

    if ((last & 7) == DECIDE_COMMIT &&
        (thread & 0xfff) < dues[last >> 15].count)
        drop_due(&dues[last >> 15], thread & 0xfff);
    if ((last & 7) != DECIDE_RUN)
        return;
    d = &dues[thread];
    n = view->buffered_count(thread);
    while (d->count && d->count > n)
        drop_due(d, 0);
    if (!n || !goal_is_buffered(view, thread, &last_op) ||
        last_op.kind == EV_LOAD)
        return;
    if (d->count == n) /* one left as it came */
        drop_due(d, 0);
    while (d->count < n && d->count < DUE_MAX)
        d->at[d->count++] = view->steps;
    if (is_at(last_op.site, GOAL_FIRST) && rng_chance(&rng, P))
        d->at[d->count - 1] = view->steps + DELAY_STORE;
}

/* A store whose time has come.  Where it must wait for an older one, it waits.
 */
static uint32_t commit_due(const struct sched_view *view)
{
    uint16_t positions[PICK_POSITIONS];

    for (uint32_t i = 0; i < view->buffering_count; i++) {
        uint32_t t = view->buffering[i];
        uint32_t n = view->committable(t, positions, PICK_POSITIONS);

        for (uint32_t j = 0; j < n; j++)
            if (positions[j] >= dues[t].count ||
                dues[t].at[positions[j]] <= view->steps)
                return DECISION(DECIDE_COMMIT, t << 12 | positions[j]);
    }
    return UINT32_MAX;
}

/* ---- Who runs ---- */

static uint64_t last_due(uint32_t thread)
{
    uint64_t latest = 0;

    for (uint32_t i = 0; i < dues[thread].count; i++)
        if (dues[thread].at[i] > latest)
            latest = dues[thread].at[i];
    return latest;
}

/* before_load, before_CAS and before_membar: how long the thread pauses there,
 * drawn once when it arrives. */
static uint64_t pause_of(const struct sched_view *view, uint32_t t)
{
    const struct sched_op *op = &view->threads[t].op;

    if (was_paused[t])
        return paused_until[t];
    was_paused[t] = true;
    paused_until[t] = 0;
    if ((op->kind == EV_LOAD || op->kind == EV_RMW) &&
        is_at(op->site, GOAL_FIRST) && rng_chance(&rng, P))
        paused_until[t] = view->steps + DELAY_LOAD;
    if (op->kind != EV_LOAD && op->kind != EV_STORE &&
        !view->model->reorders_loads && last_due(t) > paused_until[t])
        paused_until[t] = last_due(t);
    return paused_until[t];
}

/* A thread that does not pause; if all do, the one that pauses least. */
static uint32_t next_thread(const struct sched_view *view)
{
    uint32_t at = rng_below(&rng, view->ready_count);
    uint32_t best = view->ready[at];
    uint64_t soonest = UINT64_MAX;

    for (uint32_t i = 0; i < view->ready_count; i++) {
        uint32_t t = view->ready[at];
        uint64_t until = pause_of(view, t);

        if (until <= view->steps)
            until = view->threads[t].spun;
        if (until < soonest) {
            soonest = until;
            best = t;
        }
        if (!until)
            break;
        at = at + 1 == view->ready_count ? 0 : at + 1;
    }
    return best;
}

static uint32_t decide(const struct sched_view *view)
{
    uint32_t d = UINT32_MAX;

    if (view->buffering_count)
        d = commit_due(view);
    if (d != UINT32_MAX)
        return d;
    if (view->timed_count && (!view->ready_count || rng_chance(&rng, 8)))
        return pick_wake(view, &rng);
    if (view->ready_count)
        return DECISION(DECIDE_RUN, next_thread(view));
    return pick_commit(view, view->buffering[0], &rng);
}

static uint32_t relaxer_next(const struct sched_view *view)
{
    goal_look(view);
    keep_times(view);
    last = decide(view);
    if ((last & 7) == DECIDE_RUN) {
        last_op = view->threads[last >> 3].op;
        was_paused[last >> 3] = false;
        running_site = last_op.site;
    }
    return goal_decide(view, last);
}

static uint32_t relaxer_choose(enum decision_kind kind, uint32_t n)
{
    if (kind != DECIDE_STALE)
        return rng_below(&rng, n);
    if (is_at(running_site, GOAL_SECOND) && rng_chance(&rng, P))
        return goal_choose(kind, n - 1);
    return 0;
}

const struct strategy strategy_relaxer = {
    .name = "relaxer",
    .begin = relaxer_begin,
    .next = relaxer_next,
    .choose = relaxer_choose,
    .ticks = pick_dense,
    .made = relaxer_made,
    .inside = goal_inside,
    .end = goal_end,
    .open = goal_open,
};
