/* SPDX-License-Identifier: MIT
 *
 * `directed`: creates a happens-before cycle by plan (plan.h).
 *
 * We own the scheduler, so nothing is left to delays (Relaxer) or to threads
 * that happen to come in the right order (Orion).  The store that is to be late
 * is held in its buffer.  Everything else is as on SC: other stores commit at
 * once, other loads read memory.  So if the program fails, that one reordering
 * did it.  In a part of the executions other accesses are reordered too, for
 * cycles that need it.
 *
 * A thread at a node whose turn has not come is held while others can run.  If
 * nobody else can, it passes: that occurrence is no node.  Which occurrences
 * are taken is what matters; each is let pass with a chance that is drawn anew
 * for each execution, and executions begin like earlier ones that came far
 * (prefix.h).  A plan that cannot be fulfilled any more (a fence forced the
 * store out) is begun again in the same execution.
 */
#include "schedule/schedule.h"

#include "schedule/goal.h"
#include "schedule/pick.h"
#include "schedule/plan.h"
#include "schedule/prefix.h"

#define SCAN_MAX 16u /* threads looked at for a decision */
#define SIMPLE_RUNS 8u
#define PLANNED_RUNS 200u
#define CALM_CHANGES 8u /* parts of 1024 */
#define NO_DECISION UINT32_MAX

enum verdict {
    FREE, /* runs at random */
    TAKE, /* is at the node whose turn it is */
    HOLD, /* is at a node whose turn will come */
    REST  /* has done its part */
};

static uint64_t rng, run_number;

/* How this execution is: parts of 1024. */
static uint32_t first_parts, other_parts; /* to take an occurrence */
static uint32_t eager_parts;              /* to take it at once */
static uint32_t switch_parts;
static bool calm; /* the free thread of the highest priority runs */
static uint32_t commit_parts, stale_parts; /* of what is not in the plan */
static uint32_t lazy_parts;                /* 0, or to commit a first */
static uint32_t patience;                  /* steps without progress */
static bool holder_rests, all_rest;        /* who has done its part waits */
static bool walks;                         /* without a plan */

static struct plan plan;
static bool planned, over;
static uint64_t progress_at;

/* Threads. */
static bool judged[SCHED_MAX_THREADS], passed[SCHED_MAX_THREADS];
static uint64_t priorities[SCHED_MAX_THREADS];

/* The step under way: its operation has been decided, its store is not in
 * memory yet, its load was stale. */
static bool taking, committing, was_stale;
static uint32_t taker;
static struct sched_op taken_op;

/* ---- The plan ---- */

static void forget_plan(const struct sched_view *view)
{
    plan_forget(&plan);
    taking = committing = false;
    progress_at = view->steps;
}

static void make_plan(const struct sched_view *view)
{
    uint32_t count = plan_count(view);

    planned = true;
    over = walks || !count;
    if (over)
        return;
    plan_make(&plan, view, (uint32_t)(run_number % count));
    forget_plan(view);
    if (run_number >= SIMPLE_RUNS && rng_chance(&rng, 768))
        prefix_choose(&plan, &rng);
}

/* May that force a thread's stores out of its buffer? */
static bool may_drain(const struct sched_view *view, uint8_t kind)
{
    switch (kind) {
    case EV_FENCE:
    case EV_CREATE:
    case EV_EXIT:
    case EV_JOIN:
    case EV_UNLOCK:
    case EV_WAIT:
    case EV_POST:
    case EV_CALL:
        return true;
    case EV_RMW:
    case EV_LOCK:
        return view->model->rmw_drains_all;
    default:
        return false;
    }
}

/* Has it done its part, and better waits? */
static bool rests(const struct sched_view *view, uint32_t t)
{
    bool holds = plan.holding && t == plan.holder;

    if (!all_rest &&
        !(holds && (holder_rests || may_drain(view, view->threads[t].op.kind))))
        return false;
    return plan_has_done(&plan, t);
}

static enum verdict judge_thread(const struct sched_view *view, uint32_t t)
{
    enum verdict v;

    if (over)
        return FREE;
    if (rests(view, t))
        return REST;
    if (passed[t] || !goal_nodes_at(view->threads[t].op.site))
        return FREE;
    if (plan_takes(&plan, view, t, &view->threads[t].op))
        v = TAKE;
    else if (plan_awaits(&plan, view, t))
        v = HOLD;
    else
        return FREE;
    if (!judged[t]) {
        judged[t] = true;
        passed[t] = !rng_chance(&rng, plan.at ? other_parts : first_parts);
    }
    return passed[t] ? FREE : v;
}

/* ---- Steps ---- */

static void advance(const struct sched_view *view)
{
    plan_advance(&plan, taker, &taken_op);
    progress_at = view->steps;
    for (uint32_t i = 0; i < view->thread_count; i++)
        priorities[i] = rng_next(&rng);
    prefix_keep(&plan, &rng);
}

/* The thread has done the operation that was to be the next step. */
static void settle_taken(const struct sched_view *view)
{
    bool wrote = taken_op.kind != EV_LOAD &&
                 !(taken_op.kind == EV_RMW && view->threads[taker].cas_failed);
    bool buffered = wrote && goal_is_buffered(view, taker, &taken_op);

    taking = false;
    if (!plan.stale && !plan.at) {
        if (buffered)
            advance(view);
    } else if (buffered) {
        committing = true;
    } else if (plan_wants_stale(&plan) && !was_stale) {
        forget_plan(view);
    } else if (wrote || goal->nodes[plan_node(&plan, plan.at)].reads) {
        advance(view);
    }
}

static void settle(const struct sched_view *view)
{
    if (taking)
        settle_taken(view);
    if (committing && goal_position(view, taker, &taken_op) == UINT32_MAX) {
        committing = false;
        advance(view);
    }
    if (plan.holding ? plan_held_at(&plan, view) == UINT32_MAX
                     : plan_is_done(&plan))
        forget_plan(view);
}

/* ---- Commits ---- */

/* That store, or one that goes before it; not the kept one. */
static uint32_t commit_towards(const struct sched_view *view, uint32_t t,
                               const struct sched_op *op, uint32_t kept)
{
    uint16_t positions[PICK_POSITIONS];
    uint32_t n = view->committable(t, positions, PICK_POSITIONS);
    uint32_t p = goal_position(view, t, op);
    uint32_t best = NO_DECISION;

    for (uint32_t i = 0; i < n && positions[i] <= p; i++)
        if (positions[i] != kept)
            best = positions[i];
    return best == NO_DECISION ? best : DECISION(DECIDE_COMMIT, t << 12 | best);
}

static uint32_t kept_position(const struct sched_view *view, uint32_t t)
{
    return plan.holding && t == plan.holder ? plan_held_at(&plan, view)
                                            : UINT32_MAX;
}

static uint32_t commit_step(const struct sched_view *view)
{
    uint32_t d = NO_DECISION;

    if (committing) {
        d = commit_towards(view, taker, &taken_op, kept_position(view, taker));
        if (d == NO_DECISION) /* it waits for the held one */
            forget_plan(view);
    } else if (plan.holding && plan_is_done(&plan)) {
        d = commit_towards(view, plan.holder, &plan.ops[plan.pair], UINT32_MAX);
    }
    return d;
}

static bool is_first(uint32_t site)
{
    return goal_nodes_at(site) & goal->reorder;
}

/* Does that store wait, because it is held or a first of the cycle and those
 * are lazy? */
static bool stays(const struct sched_view *view, uint32_t t, uint32_t position,
                  uint32_t kept)
{
    if (position == kept)
        return true;
    return lazy_parts && is_first(view->buffered(t, position).site) &&
           !rng_chance(&rng, lazy_parts);
}

/* Any store but those that are to wait. */
static uint32_t commit_other(const struct sched_view *view)
{
    uint16_t positions[PICK_POSITIONS];
    uint32_t from =
        commit_parts < 1024 ? rng_below(&rng, view->buffering_count) : 0;

    for (uint32_t i = from; i < view->buffering_count; i++) {
        uint32_t t = view->buffering[i], n = 1, kept = kept_position(view, t);

        positions[0] = 0;
        if (commit_parts < 1024 && kept == UINT32_MAX)
            return pick_commit(view, t, &rng);
        if (kept != UINT32_MAX || lazy_parts)
            n = view->committable(t, positions, PICK_POSITIONS);
        for (uint32_t j = 0; j < n; j++)
            if (!stays(view, t, positions[j], kept))
                return DECISION(DECIDE_COMMIT, t << 12 | positions[j]);
    }
    return NO_DECISION;
}

/* ---- Who runs ---- */

struct found {
    uint32_t count[REST + 1];
    uint16_t threads[REST + 1][SCAN_MAX];
};

static void find_threads(const struct sched_view *view, struct found *f)
{
    uint32_t n = view->ready_count,
             from = n > SCAN_MAX ? rng_below(&rng, n) : 0;

    for (uint32_t i = 0; i <= REST; i++)
        f->count[i] = 0;
    if (n > SCAN_MAX)
        n = SCAN_MAX;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t where = from + i;
        uint32_t t =
            view->ready[where < view->ready_count ? where
                                                  : where - view->ready_count];
        enum verdict v = judge_thread(view, t);

        f->threads[v][f->count[v]++] = (uint16_t)t;
    }
}

static uint32_t one_of(const struct found *f, enum verdict v)
{
    return f->threads[v][rng_below(&rng, f->count[v])];
}

static uint32_t note_taken(const struct sched_view *view, uint32_t t)
{
    taking = true;
    was_stale = false;
    taker = t;
    taken_op = view->threads[t].op;
    return t;
}

/* Nobody is free: one that is held must pass. */
static uint32_t let_pass(const struct sched_view *view, const struct found *f)
{
    progress_at = view->steps;
    if (f->count[HOLD] && (!f->count[REST] || rng_chance(&rng, 768)))
        return one_of(f, HOLD);
    return one_of(f, REST);
}

/* Whoever gave way has the lowest priority from then on. */
static uint32_t highest(const struct sched_view *view, const struct found *f)
{
    uint32_t best = f->threads[FREE][0];

    for (uint32_t i = 0; i < f->count[FREE]; i++) {
        uint32_t t = f->threads[FREE][i];

        if (view->threads[t].spun)
            priorities[t] = rng_next(&rng) >> 32;
        if (priorities[t] > priorities[best])
            best = t;
    }
    if (rng_chance(&rng, CALM_CHANGES))
        priorities[best] = rng_next(&rng);
    return best;
}

static uint32_t free_thread(const struct sched_view *view,
                            const struct found *f)
{
    uint32_t t = view->current;

    if (calm)
        return highest(view, f);
    if (view->threads[t].ready_at != UINT32_MAX && !view->threads[t].spun &&
        !rng_chance(&rng, switch_parts) && judge_thread(view, t) == FREE)
        return t;
    t = one_of(f, FREE);
    for (uint32_t i = 0; i < f->count[FREE] && view->threads[t].spun; i++)
        t = f->threads[FREE][i];
    return t;
}

static void lose_patience(const struct sched_view *view, const struct found *f)
{
    for (uint32_t i = 0; i < f->count[HOLD]; i++)
        passed[f->threads[HOLD][i]] = true;
    forget_plan(view);
}

static uint32_t next_thread(const struct sched_view *view)
{
    struct found f;
    uint32_t t;

    find_threads(view, &f);
    if (!over && view->steps - progress_at > patience &&
        f.count[HOLD] + f.count[REST] + plan.holding) {
        lose_patience(view, &f);
        find_threads(view, &f);
    }
    if (f.count[TAKE] && (!f.count[FREE] || rng_chance(&rng, eager_parts)))
        t = note_taken(view, one_of(&f, TAKE));
    else if (f.count[FREE])
        t = free_thread(view, &f);
    else
        t = let_pass(view, &f);
    /* An exit drains in one go: before it, others may see the stores come out
     * one by one. */
    if (view->threads[t].op.kind == EV_EXIT &&
        view->threads[t].buffer_at != UINT32_MAX)
        return pick_commit(view, t, &rng);
    judged[t] = passed[t] = false;
    return DECISION(DECIDE_RUN, t);
}

/* ---- The strategy ---- */

/* The first executions try the simplest: every occurrence is taken, and nothing
 * else is out of order.  Later ones draw all that from a wide range, for no
 * setting is good for all cycles. */
static void draw_manner(void)
{
    static const uint16_t takes[] = {1024, 1024, 512, 256, 128};
    static const uint16_t others[] = {1024, 1024, 1024, 512, 256};
    static const uint16_t eagers[] = {1024, 1024, 512, 100};
    static const uint16_t switches[] = {40, 200, 400, 700};
    static const uint16_t patiences[] = {100, 400, 2000};

    eager_parts = first_parts = other_parts = commit_parts = 1024;
    stale_parts = 0;
    walks = false;
    switch_parts = switches[rng_below(&rng, 4)];
    calm = rng_chance(&rng, 512);
    patience = patiences[rng_below(&rng, 3)];
    all_rest = rng_chance(&rng, 256);
    holder_rests = rng_chance(&rng, 512);
    if (run_number < SIMPLE_RUNS)
        return;
    first_parts = takes[rng_below(&rng, 5)];
    other_parts = others[rng_below(&rng, 5)];
    eager_parts = eagers[rng_below(&rng, 4)];
}

/* Some cycles need a second reordering before their own can happen: of the
 * first accesses of the cycle's other pairs, or of any access.  What no plan
 * has created so far may come by chance. */
static void draw_looseness(void)
{
    static const uint16_t commits[] = {20, 80, 250, 600};
    static const uint16_t lazies[] = {2, 8, 32, 128};
    static const uint16_t stales[] = {100, 500, 900, 1000};

    lazy_parts = 0;
    if (run_number < SIMPLE_RUNS)
        return;
    walks = rng_chance(&rng, run_number < PLANNED_RUNS ? 256 : 512);
    if (!walks && rng_chance(&rng, 512))
        return;
    if (rng_chance(&rng, walks ? 768 : 512))
        commit_parts = commits[rng_below(&rng, 4)];
    else
        lazy_parts = lazies[rng_below(&rng, 4)];
    stale_parts = stales[rng_below(&rng, 4)];
    calm = rng_chance(&rng, walks ? 256 : 512);
}

static void directed_begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    (void)depth;
    rng = rng_seed(seed, run);
    run_number = run;
    draw_manner();
    draw_looseness();
    planned = over = taking = committing = plan.holding = false;
    goal_begin(run);
    prefix_begin(seed, run);
}

/* The plan is made with the first thread: the program may choose something
 * before there is anything to decide, and an execution that begins like another
 * chooses the same. */
static void directed_made(const struct sched_view *view, uint32_t thread)
{
    if (!planned)
        make_plan(view);
    priorities[thread] = rng_next(&rng);
    judged[thread] = passed[thread] = false;
}

static uint32_t decide(const struct sched_view *view)
{
    uint32_t d = NO_DECISION;

    if (view->buffering_count)
        d = commit_step(view);
    if (d == NO_DECISION && view->buffering_count &&
        rng_chance(&rng, commit_parts))
        d = commit_other(view);
    if (d != NO_DECISION)
        return d;
    if (view->timed_count && (!view->ready_count || rng_chance(&rng, 8)))
        return pick_wake(view, &rng);
    if (view->ready_count)
        return next_thread(view);
    return pick_commit(
        view, view->buffering[rng_below(&rng, view->buffering_count)], &rng);
}

static uint32_t directed_next(const struct sched_view *view)
{
    uint32_t d;

    goal_look(view);
    if (prefix_is_followed()) {
        if (prefix_next(&d, &plan))
            return goal_decide(view, d);
        progress_at = view->steps;
    }
    if (!over) {
        settle(view);
        over = goal_is_closed();
        plan.holding = plan.holding && !over;
        committing = committing && !over;
    }
    d = decide(view);
    prefix_note(d);
    return goal_decide(view, d);
}

/* Nobody can be held in an atomic block, but what it does may be a step. */
static void directed_inside(const struct sched_view *view, uint32_t thread,
                            const struct sched_op *op)
{
    goal_inside(view, thread, op);
    if (!planned || over || taking || committing || prefix_is_followed() ||
        !(plan.stale || plan.at) || !plan_takes(&plan, view, thread, op))
        return;
    taker = thread;
    taken_op = *op;
    plan_advance(&plan, taker, &taken_op);
    progress_at = view->steps;
}

static uint32_t draw_choice(enum decision_kind kind, uint32_t n)
{
    if (kind != DECIDE_STALE)
        return rng_below(&rng, n);
    if (taking && plan_wants_stale(&plan)) {
        was_stale = true;
        return rng_chance(&rng, 896) ? n - 1 : 1 + rng_below(&rng, n - 1);
    }
    if (!rng_chance(&rng, stale_parts))
        return 0;
    return lazy_parts ? n - 1 : 1 + rng_below(&rng, n - 1);
}

static uint32_t directed_choose(enum decision_kind kind, uint32_t n)
{
    uint32_t choice;

    if (!prefix_next_choice(kind, &choice)) {
        choice = draw_choice(kind, n);
        prefix_note(DECISION(kind, choice));
    }
    return goal_choose(kind, choice);
}

const struct strategy strategy_directed = {
    .name = "directed",
    .begin = directed_begin,
    .next = directed_next,
    .choose = directed_choose,
    .ticks = pick_dense,
    .made = directed_made,
    .inside = directed_inside,
    .end = goal_end,
    .open = goal_open,
};
