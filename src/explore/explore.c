/* SPDX-License-Identifier: MIT
 *
 * Exploration from one execution to the next: optimal DPOR (Abdulla et al.,
 * POPL 2014).
 *
 * An execution takes the path of the tree that was chosen for it, then whatever
 * is not asleep.  When it has ended, its races are reversed (races.c), which
 * adds to the tree, and the tree says which path is next (tree.c).
 *
 * Sleep sets (Godefroid, 1996): a step that was taken at a node sleeps behind
 * the node's later children as long as these do nothing that conflicts with it.
 *
 * What an execution has in common with the one before it is not looked at
 * again: its steps, clocks and sleepers are still there.
 */
#include "explore/explore.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "explore/inside.h"
#include "monitor/monitor.h"
#include "schedule/pick.h"

#define SLEEPERS_MAX (1u << 20)
#define GUESS_EVERY 64 /* executions between two looks at the tree's shape */
#define RESTS_MAX 400

struct execution execution;

static const struct footprint no_footprint;

static struct channel_explore *orders;
static uint32_t path[STEPS_MAX];
static uint32_t path_count;
static uint32_t at;          /* steps so far */
static bool open_step;       /* the last one is not over */
static uint32_t sleeper_end; /* used of execution.sleepers */
static uint32_t last_of[THREADS_MAX], steps_of[THREADS_MAX],
    made_by[THREADS_MAX];
static uint32_t known_threads;
static bool prepared, astray;
static const struct sched_view *seen;

static void *map(uint64_t size)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static void map_execution(void)
{
    uint64_t steps = STEPS_MAX + THREADS_MAX;

    execution.steps = map(steps * sizeof *execution.steps);
    execution.clocks = map(steps * sizeof *execution.clocks);
    execution.sleepers = map(SLEEPERS_MAX * sizeof *execution.sleepers);
}

bool explore_open(struct channel_explore *o, void *tree, uint64_t size)
{
    orders = o;
    if (!execution.steps)
        map_execution();
    if (execution.steps == MAP_FAILED || execution.clocks == MAP_FAILED ||
        execution.sleepers == MAP_FAILED || !monitor_map(o->monitors))
        return false;
    execution.count = execution.pending = execution.fresh = 0;
    execution.threads = 0;
    prepared = false;
    return tree_open(tree, size, o->worker);
}

/* Nothing for now: others may find something. */
static void rest(void)
{
    struct timespec a_while = {0, 50000};

    nanosleep(&a_while, NULL);
}

static bool find_path(void)
{
    bool found;

    for (uint32_t i = 0; i < RESTS_MAX; i++) {
        tree_lock();
        found = tree_next(path, STEPS_MAX, &path_count);
        tree_unlock();
        if (found || tree_finished())
            return found;
        rest();
    }
    return false;
}

bool explore_next(void)
{
    uint32_t common = 0;

    if (prepared)
        return true;
    if (!find_path())
        return false;
    while (common < execution.count && common < path_count &&
           execution.steps[common].node == path[common])
        common++;
    execution.fresh = common;
    prepared = true;
    return true;
}

bool explore_exhausted(void)
{
    return tree_complete();
}

void explore_abandon(void)
{
    tree_lock();
    tree_lost("an execution destroyed its process");
    for (uint32_t i = 0; i < path_count; i++)
        execution.steps[i].node = path[i];
    execution.count = path_count;
    tree_close();
    tree_unlock();
    prepared = false;
}

/* ---- One execution ---- */

static void begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    (void)seed;
    (void)run;
    (void)depth;
    at = 0;
    open_step = astray = false;
    known_threads = 1;
    memset(last_of, 0, sizeof last_of);
    memset(steps_of, 0, sizeof steps_of);
    memset(made_by, 0, sizeof made_by);
    execution.pending = 0;
    execution.steps[0].sleep_at = execution.steps[0].sleep_count = 0;
    sleeper_end = 0;
    prepared = false;
}

static bool is_fresh(uint32_t step)
{
    return step >= execution.fresh;
}

static bool wakes(const struct step *s, const struct node *n)
{
    return who_thread(s->who) == who_thread(n->who) ||
           conflict(&s->foot, s->bloom, &n->foot, n->bloom);
}

static void let_sleep(const struct step *s, uint32_t node)
{
    if (wakes(s, tree_node(node)))
        return;
    if (sleeper_end == SLEEPERS_MAX) {
        tree_lost("too many steps asleep");
        return;
    }
    execution.sleepers[sleeper_end++] = node;
}

/* Who sleeps behind that step: of those before it, and of its elder siblings,
 * all that it does not wake. */
static void fall_asleep(uint32_t step)
{
    const struct step *s = &execution.steps[step];
    struct step *after = &execution.steps[step + 1];

    after->sleep_at = sleeper_end;
    for (uint32_t i = 0; i < s->sleep_count; i++)
        let_sleep(s, execution.sleepers[s->sleep_at + i]);
    if (s->node)
        for (uint32_t c = tree_node(tree_state(step))->first; c != s->node;
             c = tree_node(c)->next)
            let_sleep(s, c);
    after->sleep_count = sleeper_end - after->sleep_at;
}

/* The last step is over: what did it touch? */
static void close_step(const struct sched_view *view)
{
    struct step *s = &execution.steps[at - 1];

    for (; known_threads < view->thread_count; known_threads++)
        if (known_threads < THREADS_MAX)
            made_by[known_threads] = at;
    if (open_step && is_fresh(at - 1)) {
        s->foot = *view->footprint;
        if ((s->who & 7) == DECIDE_WAKE)
            s->foot.all = true;
        s->bloom = bloom_of(&s->foot);
        fall_asleep(at - 1);
    } else if (open_step) {
        sleeper_end =
            execution.steps[at].sleep_at + execution.steps[at].sleep_count;
    }
    open_step = false;
    footprint_clear(view->footprint);
}

static void open_new_step(const struct sched_view *view, uint32_t who,
                          uint32_t node)
{
    struct step *s = &execution.steps[at];
    uint32_t t = who_thread(who);

    if (is_fresh(at)) {
        s->who = who;
        s->node = node;
        s->choices = 0;
        s->index = steps_of[t] + 1;
        s->before = last_of[t];
        s->cause = last_of[t] ? 0 : made_by[t];
        s->log_at = view ? view->log_count : 0;
    }
    steps_of[t]++;
    last_of[t] = ++at;
    open_step = true;
}

/* ---- Who runs ---- */

static bool may_run(const struct sched_view *view, uint32_t t)
{
    const struct sched_thread *s = &view->threads[t];

    return s->ready_at != UINT32_MAX &&
           !(s->drains && s->buffer_at != UINT32_MAX) && !view->would_wait(t);
}

static uint64_t enabled_threads(const struct sched_view *view)
{
    uint64_t mask = 0;

    for (uint32_t i = 0; i < view->ready_count; i++)
        if (may_run(view, view->ready[i]))
            mask |= 1ull << view->ready[i];
    return mask;
}

static bool is_asleep(uint32_t who)
{
    const struct step *s = &execution.steps[at];

    for (uint32_t i = 0; i < s->sleep_count; i++)
        if (tree_node(execution.sleepers[s->sleep_at + i])->who == who)
            return true;
    return false;
}

/* Goes on with the thread that ran last, if it can, else with the first: a
 * thread switch costs more than anything else here. */
static uint32_t pick_thread(uint64_t enabled)
{
    uint32_t last = at ? who_thread(execution.steps[at - 1].who) : 0;

    if (enabled >> last & 1 && !is_asleep(who_of(DECIDE_RUN, last, 0)))
        return last;
    for (; enabled; enabled &= enabled - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(enabled);

        if (!is_asleep(who_of(DECIDE_RUN, t, 0)))
            return t;
    }
    return UINT32_MAX;
}

static uint32_t pick_timed(const struct sched_view *view)
{
    for (uint32_t t = 0; t < view->thread_count; t++)
        if (view->threads[t].timed_at != UINT32_MAX &&
            !is_asleep(who_of(DECIDE_WAKE, t, 0)))
            return t;
    return UINT32_MAX;
}

static uint32_t give_up(const char *why, enum sched_end how)
{
    if (why)
        tree_lost(why);
    astray = true;
    return DECISION(DECIDE_END, how);
}

static uint32_t pick_freely(const struct sched_view *view, uint64_t enabled,
                            uint32_t *who)
{
    uint32_t t = pick_thread(enabled);

    if (t != UINT32_MAX) {
        *who = who_of(DECIDE_RUN, t, 0);
        return DECISION(DECIDE_RUN, t);
    }
    t = pick_timed(view);
    if (t != UINT32_MAX) {
        *who = who_of(DECIDE_WAKE, t, 0);
        return DECISION(DECIDE_WAKE, t);
    }
    if (!enabled && !view->timed_count)
        return DECISION(DECIDE_END, SCHED_END_STUCK);
    return give_up(NULL, SCHED_END_REDUNDANT);
}

/* The path's next step, if it can be taken. */
static uint32_t follow(const struct sched_view *view, uint64_t enabled,
                       uint32_t *who)
{
    uint32_t t;

    *who = tree_node(path[at])->who;
    t = who_thread(*who);
    if ((*who & 7) == DECIDE_RUN && enabled >> t & 1)
        return DECISION(DECIDE_RUN, t);
    if ((*who & 7) == DECIDE_WAKE && t < view->thread_count &&
        view->threads[t].timed_at != UINT32_MAX)
        return DECISION(DECIDE_WAKE, t);
    return give_up(NULL, SCHED_END_REDUNDANT);
}

static uint32_t next(const struct sched_view *view)
{
    bool follows = at < path_count;
    uint64_t enabled;
    uint32_t who = 0, d;

    seen = view;
    if (at) {
        close_step(view);
    } else {
        known_threads = view->thread_count;
        footprint_clear(view->footprint);
    }
    if (at < execution.fresh) {
        who = execution.steps[at].who;
        open_new_step(view, who, 0);
        return DECISION(who & 7, who_thread(who));
    }
    if (at == STEPS_MAX)
        return give_up("executions of more than 65536 steps", SCHED_END_CUT);
    if (view->thread_count > THREADS_MAX)
        return give_up("more than 64 threads", SCHED_END_CUT);
    enabled = enabled_threads(view);
    d = follows ? follow(view, enabled, &who)
                : pick_freely(view, enabled, &who);
    if ((d & 7) == DECIDE_END)
        return d;
    execution.steps[at].enabled = enabled;
    execution.steps[at].op = view->threads[who_thread(who)].op.kind;
    execution.steps[at].blocks = view->threads[who_thread(who)].blocks;
    open_new_step(view, who, follows ? path[at] : 0);
    return d;
}

/* A step of its own behind the one that it is a part of. */
static uint32_t choose(enum decision_kind kind, uint32_t n)
{
    uint32_t node = at < path_count ? path[at] : 0, chosen = 0, t;

    (void)kind;
    if (at == STEPS_MAX)
        return 0;
    t = at ? who_thread(execution.steps[at - 1].who) : 0;
    if (at && open_step)
        close_step(seen);
    if (at < execution.fresh)
        chosen = execution.steps[at].who >> 13;
    else if (node)
        chosen = tree_node(node)->who >> 13;
    open_new_step(seen, who_of(DECIDE_CHOOSE, t, chosen), node);
    if (is_fresh(at - 1)) {
        execution.steps[at - 1].enabled = 0;
        execution.steps[at - 1].op = EV_CHOOSE;
        execution.steps[at - 1].blocks = false;
        if (!node)
            execution.steps[at - 1].choices = n;
    }
    return chosen;
}

/* ---- From one execution to the next ---- */

/* What threads were about to do when it ended: they may have come too late, or
 * wait for what another order would give them. */
static void add_pending(const struct sched_view *view)
{
    for (uint32_t t = 0; t < view->thread_count && t < THREADS_MAX; t++) {
        struct step *s = &execution.steps[at + execution.pending];

        if (view->threads[t].ready_at == UINT32_MAX)
            continue;
        view->expected(t, &s->foot);
        s->bloom = bloom_of(&s->foot);
        s->who = who_of(DECIDE_RUN, t, 0);
        s->index = steps_of[t] + 1;
        s->before = last_of[t];
        s->cause = last_of[t] ? 0 : made_by[t];
        s->op = view->threads[t].op.kind;
        s->blocks = view->threads[t].blocks;
        execution.pending++;
    }
}

/* The alternatives of choices that were free. */
static void add_choices(void)
{
    for (uint32_t i = execution.fresh; i < execution.count; i++) {
        const struct step *s = &execution.steps[i];

        if (s->choices < 2 || !tree_grow(i))
            continue;
        for (uint32_t n = 1; n < s->choices; n++)
            tree_add(tree_state(i), s->who + (n << 13), &no_footprint, 0);
    }
}

/* It ended before its time: whatever else threads would have done comes too
 * late. */
static void end_abruptly(void)
{
    struct step *s = &execution.steps[at - 1];

    s->foot.all = true;
    s->bloom = ~0ull;
}

static void update_tree(void)
{
    races_find();
    tree_lock();
    tree_note_steps();
    if (astray && at < path_count)
        tree_prune(path[at]);
    races_reverse();
    add_choices();
    tree_close();
    tree_unlock();
}

static void guess(void)
{
    static uint32_t executions;

    if (++executions % GUESS_EVERY == 0)
        orders->explored = tree_part_done();
}

static void end(const struct sched_view *view)
{
    if (at && open_step)
        close_step(view);
    if (at && view->how == END_FAILED)
        end_abruptly();
    if (execution.threads < view->thread_count) {
        execution.threads =
            view->thread_count < THREADS_MAX ? view->thread_count : THREADS_MAX;
        execution.fresh = 0;
    }
    execution.count = at;
    add_pending(view);
    if (view->how != END_REDUNDANT)
        judge(orders, view);
    guess();
    update_tree();
    tree_tell(orders);
}

const struct strategy strategy_explore = {
    .name = "explore",
    .begin = begin,
    .next = next,
    .choose = choose,
    .ticks = pick_dense,
    .end = end,
    .footprints = true,
    .logs = true,
    .explores = true,
};
