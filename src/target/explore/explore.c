/* SPDX-License-Identifier: MIT
 *
 * Exploration from one execution to the next: by sleep sets (sleep.c), for what
 * graphs do not have; or by interleavings with few preemptions (bounded.c), for
 * the tables of papers that did so.
 */
#include "explore/explore.h"

#include <sys/mman.h>

#include "event/must.h"
#include "explore/explore_inside.h"
#include "monitor/monitor.h"
#include "schedule/pick.h"

static struct channel_explore *orders;
static const struct explore_way *way;
static bool counts;
static bool strayed; /* this execution did not begin like the one before */
static const struct sched_view *seen;

/* The search tree: one that outlives its worker, or in the channel. */
static void *map_tree(struct channel *job)
{
    static void *shared;

    if (job->explore.tree_fd < 0)
        return (char *)job + CHANNEL_SEARCH_AT;
    if (!shared)
        shared = mmap(NULL, EXPLORE_TREE_SIZE, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_NORESERVE, job->explore.tree_fd, 0);
    return shared;
}

static bool open(struct channel *job, const struct model *model)
{
    void *tree = map_tree(job);

    orders = &job->explore;
    /* Preemptions are SC's: where stores wait, all executions are explored. */
    if (model->delays_stores)
        orders->flags &=
            ~(uint32_t)(EXPLORE_PLAIN | EXPLORE_BOUNDED | EXPLORE_COUNT);
    way = orders->flags & (EXPLORE_PLAIN | EXPLORE_BOUNDED) ? &explore_bounded
                                                            : &explore_by_sleep;
    execution.fresh = execution.count = 0;
    execution.is_tracked = !model->delays_stores;
    if (tree == MAP_FAILED || !steps_map() || !monitor_map(orders->monitors))
        return false;
    execution.hashed = way == &explore_bounded || orders->flags & EXPLORE_COUNT;
    judge_open(orders);
    return way->open(orders, tree);
}

static bool is_over(const struct channel *job)
{
    return job->explore.news || !way->prepare(job);
}

static bool last_counts(void)
{
    return counts;
}

static bool is_exhausted(void)
{
    return way->is_complete();
}

static void abandon(const struct sched_view *view)
{
    way->abandon(view);
}

static void begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    (void)seed;
    (void)run;
    (void)depth;
    seen = NULL;
    strayed = false;
    steps_begin();
    races_begin();
    way->begin();
}

/* The last step is over, and perhaps not the same as in the execution before:
 * what does it conflict with? */
static void close_step(const struct sched_view *view)
{
    if (view && way->closing)
        way->closing(view);
    if (steps_close(view))
        races_find(execution.count - 1);
}

void explore_lost(const char *why)
{
    way->lost(why);
}

static bool is_too_large(const struct sched_view *view)
{
    if (execution.count == STEPS_MAX)
        explore_lost("an execution of 65,535 steps");
    else if (view->thread_count > THREADS_MAX)
        explore_lost("more than 64 threads");
    else
        return false;
    return true;
}

/* What the executions before had here cannot be done: the program does not do
 * the same twice, for reasons that no strategy sees. */
static void stray(void)
{
    explore_lost("the program does not do the same twice");
    strayed = true;
}

/* A step that this execution has in common with the one before. */
static uint32_t repeat(const struct sched_view *view)
{
    const struct step *s = &execution.steps[execution.count];

    if ((s->who & 7) == DECIDE_CHOOSE || !view->fits(s->decision)) {
        stray();
        return DECISION(DECIDE_END, SCHED_END_REDUNDANT);
    }
    steps_open(view, s->who, 0);
    return s->decision;
}

static uint32_t next(const struct sched_view *view)
{
    uint32_t d;

    if (strayed)
        return DECISION(DECIDE_END, SCHED_END_REDUNDANT);
    if (!execution.is_tracked)
        return way->next(view);
    seen = view;
    if (!execution.count)
        steps_first(view);
    else if (execution.is_open)
        close_step(view);
    if (execution.count < execution.fresh)
        return repeat(view);
    if (is_too_large(view))
        return DECISION(DECIDE_END, SCHED_END_CUT);
    d = way->next(view);
    if (d != UINT32_MAX)
        return d;
    stray();
    return DECISION(DECIDE_END, SCHED_END_REDUNDANT);
}

/* What the execution before chose here; UINT32_MAX: nothing. */
static uint32_t repeat_choice(void)
{
    uint32_t who = execution.steps[execution.count].who;

    if ((who & 7) != DECIDE_CHOOSE)
        return UINT32_MAX;
    steps_open(NULL, who, 0);
    return who >> 13;
}

/* A step of its own, after the one that it is a part of. */
static uint32_t choose(enum decision_kind kind, uint32_t n)
{
    uint32_t at = execution.count;
    uint32_t t = at ? who_thread(execution.steps[at - 1].who) : 0, chosen;

    if (!execution.is_tracked)
        return way->choose(0, kind, n);
    if (at == STEPS_MAX || strayed)
        return 0;
    if (at && execution.is_open)
        close_step(seen);
    if (at < execution.fresh)
        chosen = repeat_choice();
    else
        chosen = way->choose(t, kind, n);
    if (chosen < n)
        return chosen;
    stray();
    return 0;
}

/* Nothing that it did says anything of the others. */
static void end_astray(const struct sched_view *view)
{
    counts = view->how == END_FAILED;
    abandon(view);
    execution.count = 0;
}

static void judge_last(const struct sched_view *view)
{
    if (execution.count && execution.is_open)
        close_step(view);
    if (execution.count && view->how == END_FAILED)
        steps_end_abruptly();
    counts = view->how != END_REDUNDANT && way->counts();
    if (counts)
        judge(orders, view);
    way->end(view);
}

static void end(const struct sched_view *view)
{
    if (strayed)
        end_astray(view);
    else
        judge_last(view);
    way->tell(orders);
}

const struct strategy strategy_explore = {
    .name = "explore",
    .begin = begin,
    .next = next,
    .choose = choose,
    .ticks = pick_dense,
    .end = end,
    .open = open,
    .is_over = is_over,
    .counts = last_counts,
    .is_exhausted = is_exhausted,
    .abandon = abandon,
    .footprints = true,
    .logs = true,
    .explores = true,
};
