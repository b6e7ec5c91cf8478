/* SPDX-License-Identifier: MIT
 *
 * Optimal DPOR (Abdulla et al., POPL 2014): one execution per trace.
 *
 * An execution takes the path of the tree that was chosen for it, then whatever
 * is not asleep.  When it has ended, its races are reversed (reverse.c),
 * which adds to the tree, and the tree says which path is next (tree.c).
 *
 * Sleep sets (Godefroid, 1996): a step that was taken at a node sleeps after
 * the node's later children as long as these do nothing that conflicts with it.
 */
#include <string.h>
#include <time.h>

#include "event/must.h"
#include "explore/dpor_inside.h"

#define GUESS_EVERY 64 /* executions between two looks at the tree's shape */
#define RESTS_MAX 400

static const struct footprint no_footprint;

static uint32_t path[STEPS_MAX];
static uint32_t path_count;
static uint32_t sleeper_end; /* used of execution.sleepers */
static bool prepared, astray;
static double part_done;

static bool open(const struct channel_explore *orders, void *region)
{
    prepared = false;
    if (!tree_open(region, CHANNEL_SEARCH_MAX, orders->worker))
        return false;
    if (orders->flags & EXPLORE_SHARED)
        tree_share();
    return true;
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
        MUST(!found || path_count <= STEPS_MAX);
        tree_unlock();
        if (found || tree_finished())
            return found;
        rest();
    }
    return false;
}

static bool prepare(void)
{
    uint32_t common = 0;

    if (prepared)
        return true;
    if (!find_path())
        return false;
    while (common < execution.count && common < path_count &&
           execution.steps[common].node == path[common] &&
           execution.steps[common].serial == tree_node(path[common])->serial)
        common++;
    execution.fresh = common;
    prepared = true;
    return true;
}

static void abandon(void)
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

static void begin(void)
{
    MUST(prepared && execution.fresh <= path_count);
    astray = prepared = false;
    execution.steps[0].sleep_at = execution.steps[0].sleep_count = 0;
    sleeper_end = 0;
}

static bool wakes(const struct step *s, const struct node *n)
{
    return process_of(s->who) == process_of(n->who) ||
           conflict(s->who, &s->foot, s->bloom, n->who, &n->foot, n->bloom);
}

static void let_sleep(const struct step *s, uint32_t node)
{
    MUST(tree_node(node)->known); /* what it touches */
    if (wakes(s, tree_node(node)))
        return;
    if (sleeper_end == SLEEPERS_MAX) {
        tree_lost("too many steps asleep");
        return;
    }
    execution.sleepers[sleeper_end++] = node;
}

/* Who sleeps after that step: of those before it, and of its elder siblings,
 * all that it does not wake. */
static void fall_asleep(uint32_t step)
{
    const struct step *s = &execution.steps[step];
    struct step *after = &execution.steps[step + 1];

    after->sleep_at = sleeper_end;
    MUST(s->sleep_at + s->sleep_count <= SLEEPERS_MAX);
    for (uint32_t i = 0; i < s->sleep_count; i++)
        let_sleep(s, execution.sleepers[s->sleep_at + i]);
    if (s->node)
        for (uint32_t c = tree_node(tree_state(step))->first; c != s->node;
             c = tree_node(c)->next) {
            MUST(c);
            let_sleep(s, c);
        }
    after->sleep_count = sleeper_end - after->sleep_at;
}

static void fall_asleep_behind(bool fresh)
{
    uint32_t after = execution.count;

    if (fresh)
        fall_asleep(after - 1);
    else
        sleeper_end = execution.steps[after].sleep_at +
                      execution.steps[after].sleep_count;
}

/* A CAS may fail here and not there, a load may come from a buffer. */
static bool may_change(const struct sched_view *view, const struct step *s)
{
    if (view->model->delays_stores)
        return true;
    for (uint32_t i = s->log_at; i < view->log_count; i++)
        if (view->log[i].kind == EV_CAS_FAIL ||
            view->log[i].flags & HAPPENED_CAS)
            return true;
    return false;
}

/* A step is over; only then is it known whom it wakes. */
static void closed(const struct sched_view *view, bool fresh)
{
    if (fresh && view && tree_is_exact() &&
        may_change(view, &execution.steps[execution.count - 1]))
        tree_set_inexact();
    fall_asleep_behind(fresh);
}

static void forced(uint32_t step)
{
    fall_asleep(step);
}

/* ---- Who runs ---- */

static bool is_asleep(uint32_t who)
{
    const struct step *s = &execution.steps[execution.count];

    for (uint32_t i = 0; i < s->sleep_count; i++)
        if (tree_node(execution.sleepers[s->sleep_at + i])->who == who)
            return true;
    return false;
}

/* Goes on with the thread that ran last, if it can, else with the first: a
 * thread switch costs more than anything else here. */
static uint32_t pick_thread(uint64_t enabled)
{
    uint32_t n = execution.count;
    uint32_t last = n ? who_thread(execution.steps[n - 1].who) : 0;

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

/* Stores leave their buffers as soon as they can: what comes first is like SC,
 * and races lead away from it. */
static uint32_t pick_commit(const struct sched_view *view, uint32_t *who)
{
    uint16_t positions[COMMITS_MAX];

    for (uint32_t b = 0; b < view->buffering_count; b++) {
        uint32_t t = view->buffering[b];
        uint32_t n = view->committable(t, positions, COMMITS_MAX);

        for (uint32_t i = 0; i < n; i++) {
            *who = who_of(DECIDE_COMMIT, t,
                          view->buffered(t, positions[i]).number);
            if (!is_asleep(*who))
                return DECISION(DECIDE_COMMIT, t << 12 | positions[i]);
        }
    }
    return 0;
}

static uint32_t pick_freely(const struct sched_view *view, uint64_t enabled,
                            uint32_t *who)
{
    uint32_t t, d = pick_commit(view, who);

    if (d)
        return d;
    t = pick_thread(enabled);
    if (t != UINT32_MAX) {
        *who = who_of(DECIDE_RUN, t, 0);
        return DECISION(DECIDE_RUN, t);
    }
    t = pick_timed(view);
    if (t != UINT32_MAX) {
        *who = who_of(DECIDE_WAKE, t, 0);
        return DECISION(DECIDE_WAKE, t);
    }
    if (!enabled && !view->timed_count && !view->buffering_count)
        return DECISION(DECIDE_END, SCHED_END_STUCK);
    return give_up(NULL, SCHED_END_REDUNDANT);
}

/* The path's next step, if it can be taken. */
static uint32_t follow(const struct sched_view *view, uint64_t enabled,
                       uint32_t *who)
{
    uint32_t t;

    MUST(execution.count < path_count);
    *who = tree_node(path[execution.count])->who;
    t = who_thread(*who);
    if ((*who & 7) == DECIDE_COMMIT) {
        uint32_t d = steps_commit(view, *who);

        return d ? d : give_up(NULL, SCHED_END_REDUNDANT);
    }
    if ((*who & 7) == DECIDE_RUN && enabled >> t & 1)
        return DECISION(DECIDE_RUN, t);
    if ((*who & 7) == DECIDE_WAKE && t < view->thread_count &&
        view->threads[t].timed_at != UINT32_MAX)
        return DECISION(DECIDE_WAKE, t);
    return give_up(NULL, SCHED_END_REDUNDANT);
}

static uint32_t next(const struct sched_view *view)
{
    uint32_t at = execution.count, who = 0, d;
    bool follows = at < path_count;
    uint64_t enabled = steps_enabled(view);
    struct step *s;

    d = follows ? follow(view, enabled, &who)
                : pick_freely(view, enabled, &who);
    if ((d & 7) == DECIDE_END)
        return d;
    s = steps_open(view, who, d);
    if ((who & 7) == DECIDE_COMMIT) {
        struct sched_op store = view->buffered(who_thread(who), d >> 3 & 0xfff);

        s->foot.number = store.number;
        s->foot.fences = store.fences;
    }
    s->enabled = view->buffering_count ? steps_free(view) : enabled;
    tree_place(s, follows ? path[at] : 0);
    return d;
}

static uint32_t choose(uint32_t thread, uint32_t n)
{
    uint32_t at = execution.count;
    uint32_t node = at < path_count ? path[at] : 0;

    if (node && (tree_node(node)->who & 7) != DECIDE_CHOOSE)
        return UINT32_MAX;

    uint32_t chosen = node ? tree_node(node)->who >> 13 : 0;
    struct step *s = steps_open(NULL, who_of(DECIDE_CHOOSE, thread, chosen), 0);

    tree_place(s, node);
    s->choices = n;
    return chosen;
}

/* ---- From one execution to the next ---- */

static bool has_child(uint32_t parent, uint32_t who)
{
    uint32_t c = tree_node(parent)->first;

    while (c && tree_node(c)->who != who)
        c = tree_node(c)->next;
    return c;
}

/* The alternatives of choices.  Also where a sequence said what to choose: what
 * is done after a node is all that begins with it. */
static void add_choices(void)
{
    for (uint32_t i = execution.fresh; i < execution.count; i++) {
        const struct step *s = &execution.steps[i];

        if (s->choices < 2 || !tree_grow(i))
            continue;
        MUST(s->who >> 13 < s->choices);
        for (uint32_t n = 0; n < s->choices; n++) {
            uint32_t who = who_of(DECIDE_CHOOSE, who_thread(s->who), n);

            if (!has_child(tree_state(i), who))
                tree_add(tree_state(i), who, &no_footprint, 0);
        }
    }
}

static void update_tree(void)
{
    tree_lock();
    tree_note_steps();
    if (astray && execution.count < path_count)
        tree_prune(path[execution.count]);
    reverse_races();
    add_choices();
    tree_close();
    tree_unlock();
}

/* Before the path is closed, which forgets it. */
static void guess(void)
{
    static uint32_t executions;

    if (executions++ % GUESS_EVERY == 0)
        part_done = tree_part_done();
}

static void end(struct channel_explore *orders, const struct sched_view *view)
{
    steps_add_pending(view);
    races_find_pending();
    guess();
    update_tree();
    orders->explored = part_done;
}

static bool counts(void)
{
    return true;
}

const struct explore_way explore_by_trace = {
    .open = open,
    .prepare = prepare,
    .begin = begin,
    .closed = closed,
    .forced = forced,
    .next = next,
    .choose = choose,
    .counts = counts,
    .end = end,
    .abandon = abandon,
    .lost = tree_lost,
    .tell = tree_tell,
    .is_complete = tree_complete,
};
