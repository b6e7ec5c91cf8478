/* SPDX-License-Identifier: MIT
 *
 * Exploration from one execution to the next: by traces (dpor.c), or by
 * interleavings with few preemptions (bounded.c).
 */
#include "explore/explore.h"

#include "explore/explore_inside.h"
#include "monitor/monitor.h"
#include "schedule/pick.h"

static struct channel_explore *orders;
static bool by_trace, counts;
static const struct sched_view *seen;

bool explore_open(struct channel_explore *o, void *tree, uint64_t size)
{
    orders = o;
    by_trace = !(o->flags & (EXPLORE_PLAIN | EXPLORE_BOUNDED));
    execution.fresh = execution.count = 0;
    if (!steps_map() || !monitor_map(o->monitors))
        return false;
    execution.hashed = !by_trace || o->flags & EXPLORE_COUNT;
    judge_open(o);
    if (!by_trace)
        return bounded_open(o, tree, size);
    dpor_open();
    if (!tree_open(tree, size, o->worker))
        return false;
    if (o->flags & EXPLORE_SHARED)
        tree_share();
    return true;
}

bool explore_next(void)
{
    return by_trace ? dpor_prepare() : bounded_prepare();
}

bool explore_counts(void)
{
    return counts;
}

bool explore_exhausted(void)
{
    return by_trace ? tree_complete() : bounded_complete();
}

void explore_abandon(void)
{
    if (by_trace)
        dpor_abandon();
    else
        bounded_end(true);
}

static void begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    (void)seed;
    (void)run;
    (void)depth;
    seen = NULL;
    steps_begin();
    races_begin();
    if (by_trace)
        dpor_begin();
    else
        bounded_begin();
}

/* The last step is over, and perhaps not the same as in the execution before:
 * what does it conflict with? */
static void close_step(const struct sched_view *view)
{
    bool fresh = steps_close(view);

    if (fresh)
        races_find(execution.count - 1);
    if (by_trace)
        dpor_closed(view, fresh);
}

static void lose(const char *why)
{
    if (by_trace)
        tree_lost(why);
    else
        bounded_lost(why);
}

static bool is_too_large(const struct sched_view *view)
{
    if (execution.count == STEPS_MAX)
        lose("an execution of 65,535 steps");
    else if (view->thread_count > THREADS_MAX)
        lose("more than 64 threads");
    else if (execution.commit_count == SLOTS_MAX - THREADS_MAX)
        lose("448 stores in one execution");
    else
        return false;
    return true;
}

static uint32_t next(const struct sched_view *view)
{
    uint32_t who;

    seen = view;
    execution.reorders_stores = view->model->reorders_stores;
    if (!execution.count)
        steps_first(view);
    else if (execution.is_open)
        close_step(view);
    if (execution.count < execution.fresh) {
        who = execution.steps[execution.count].who;
        return steps_open(view, who, 0)->decision;
    }
    if (is_too_large(view))
        return DECISION(DECIDE_END, SCHED_END_CUT);
    return by_trace ? dpor_next(view) : bounded_next(view);
}

/* A step of its own after the one that it is a part of. */
static uint32_t choose(enum decision_kind kind, uint32_t n)
{
    uint32_t at = execution.count;
    uint32_t t = at ? who_thread(execution.steps[at - 1].who) : 0;

    (void)kind;
    if (at == STEPS_MAX)
        return 0;
    if (at && execution.is_open)
        close_step(seen);
    if (at < execution.fresh) {
        uint32_t who = execution.steps[at].who;

        steps_open(NULL, who, 0);
        return who >> 13;
    }
    return by_trace ? dpor_choose(t, n) : bounded_choose(t, n);
}

/* A step came before the open one. */
static void forced(const struct sched_view *view, uint32_t thread,
                   const struct sched_op *store, bool over)
{
    if (!steps_forced(view, thread, store, over))
        return;
    races_find(execution.count - 2);
    if (by_trace)
        dpor_forced(execution.count - 2);
}

static void end(const struct sched_view *view)
{
    if (execution.count && execution.is_open)
        close_step(view);
    if (execution.count && view->how == END_FAILED)
        steps_end_abruptly();
    counts = view->how != END_REDUNDANT && (by_trace || bounded_counts());
    if (counts)
        judge(orders, view);
    if (by_trace) {
        steps_add_pending(view);
        races_find_pending();
        dpor_end();
        orders->explored = dpor_part_done();
        tree_tell(orders);
    } else {
        bounded_end(false);
        bounded_tell(orders);
    }
}

const struct strategy strategy_explore = {
    .name = "explore",
    .begin = begin,
    .next = next,
    .choose = choose,
    .forced = forced,
    .ticks = pick_dense,
    .end = end,
    .footprints = true,
    .logs = true,
    .explores = true,
};
