/* SPDX-License-Identifier: MIT
 *
 * `directed`: creates a happens-before cycle by plan.
 *
 * We own the scheduler, so nothing is left to delays (Relaxer) or to threads
 * that happen to come in the right order (Orion).  One pair e, e' of the cycle
 * is to be reordered, another one each execution.  There are two plans, both
 * in the cycle's order, f being the nodes between e' and e:
 *
 *     delay:  issue e    e' takes effect    f1 ... fn take effect    e commits
 *     stale:  f1 ... fn take effect    e executes    e' reads an older value
 *
 * Everything else is as on SC: other stores commit at once, other loads read
 * memory.  So if the program fails, that one reordering did it.  In a few
 * executions other stores wait too, for cycles that need it.
 *
 * A thread at a node whose turn has not come is held while others can run.  If
 * nobody else can, it passes: that occurrence is no node.  Which occurrences
 * are taken is what matters; each is let pass with a chance that is drawn anew
 * for each execution.  A plan that cannot be fulfilled any more (a fence forced
 * e out) is begun again in the same execution.
 */
#include "schedule/schedule.h"

#include "schedule/goal.h"
#include "schedule/pick.h"

#define NOBODY UINT16_MAX
#define SCAN_MAX 16u /* threads looked at for a decision */
#define SIMPLE_RUNS 8u

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
static uint32_t commit_parts, stale_parts; /* of what is not in the plan */
static uint32_t patience;                  /* steps without progress */
static bool all_rest;                      /* whoever has done its part waits */
static bool walks;                         /* without a plan */

/* The plan. */
static bool planned, over;
static uint32_t pair; /* node e */
static bool stale;
static uint32_t at; /* steps done */
static uint32_t nodes_done;
static struct sched_op ops[GOAL_NODES_MAX];
static uint16_t thread_of[GOAL_NODES_MAX]; /* a role's; NOBODY */
static uint64_t progress_at;

/* Threads. */
static uint16_t role_of[SCHED_MAX_THREADS];
static bool judged[SCHED_MAX_THREADS], passed[SCHED_MAX_THREADS];

/* The step under way. */
static bool taking, committing, holding, was_stale;
static uint32_t taker, holder;
static struct sched_op taken_op;

/* ---- The plan ---- */

static uint32_t step_node(uint32_t step)
{
    uint32_t node = pair + step + (stale ? 2 : 0);

    while (node >= goal->node_count)
        node -= goal->node_count;
    return node;
}

static bool is_last_step(void)
{
    return at + 1 == goal->node_count;
}

static void forget_plan(const struct sched_view *view)
{
    for (uint32_t i = 0; i < goal->node_count; i++) {
        if (thread_of[i] != NOBODY)
            role_of[thread_of[i]] = NOBODY;
        thread_of[i] = NOBODY;
    }
    at = nodes_done = 0;
    taking = committing = holding = false;
    progress_at = view->steps;
}

/* The n-th pair that may be reordered. */
static uint32_t wanted_pair(uint32_t n)
{
    uint32_t node = 0;

    for (;; node = goal_after(node))
        if (goal->reorder >> node & 1 && !n--)
            return node;
}

static void make_plan(const struct sched_view *view)
{
    uint32_t pairs = goal->reorder & ((1u << goal->node_count) - 1);
    uint32_t count = (uint32_t)__builtin_popcount(pairs);
    const struct goal_node *e, *f;

    planned = true;
    over = walks || !count;
    if (over)
        return;
    pair = wanted_pair(run_number % count);
    e = &goal->nodes[pair];
    f = &goal->nodes[goal_after(pair)];
    stale = view->model->reorders_loads && !f->writes &&
            (e->reads || run_number / count % 4 == 3);
    for (uint32_t i = 0; i < goal->node_count; i++)
        thread_of[i] = NOBODY;
    forget_plan(view);
}

/* Does the announced operation fit beside the neighbours that are done? */
static bool fits_beside(const struct sched_op *op, uint32_t node)
{
    uint32_t b = goal_before(node), a = goal_after(node);

    if (nodes_done >> b & 1 && goal_overlap(&ops[b], op) != goal_conflicts(b))
        return false;
    return !(nodes_done >> a & 1) ||
           goal_overlap(&ops[a], op) == goal_conflicts(node);
}

static bool fits(const struct sched_view *view, uint32_t t, uint32_t node)
{
    const struct sched_op *op = &view->threads[t].op;
    uint32_t role = goal->nodes[node].role;

    if (op->site != goal->nodes[node].site || !op->size)
        return false;
    if (thread_of[role] != (role_of[t] == NOBODY ? NOBODY : t))
        return false;
    if (role_of[t] != NOBODY && role_of[t] != role)
        return false;
    /* What it would load from its own buffer is not in memory. */
    if (op->kind == EV_LOAD && goal_buffers(view, t, op) != UINT32_MAX)
        return false;
    return fits_beside(op, node);
}

/* Is it at a node that its thread has to do later, and none before that? */
static bool awaits_turn(const struct sched_view *view, uint32_t t)
{
    uint32_t roles = 0;

    for (uint32_t i = at; i < goal->node_count; i++) {
        uint32_t node = step_node(i), role = goal->nodes[node].role;

        if (roles >> role & 1)
            continue;
        roles |= 1u << role;
        if (fits(view, t, node))
            return true;
    }
    return false;
}

static bool has_rest(uint32_t t)
{
    if (role_of[t] == NOBODY || !(all_rest || (holding && t == holder)))
        return false;
    for (uint32_t i = at; i < goal->node_count; i++)
        if (goal->nodes[step_node(i)].role == role_of[t])
            return false;
    return true;
}

static enum verdict judge(const struct sched_view *view, uint32_t t)
{
    enum verdict v;

    if (over)
        return FREE;
    if (has_rest(t))
        return REST;
    if (passed[t] || !goal_nodes_at(view->threads[t].op.site) ||
        at == goal->node_count)
        return FREE;
    if (fits(view, t, step_node(at)))
        v = TAKE;
    else if (awaits_turn(view, t))
        v = HOLD;
    else
        return FREE;
    if (!judged[t]) {
        judged[t] = true;
        passed[t] = !rng_chance(&rng, at ? other_parts : first_parts);
    }
    return passed[t] ? FREE : v;
}

/* ---- Steps ---- */

static void advance(const struct sched_view *view)
{
    uint32_t node = step_node(at), role = goal->nodes[node].role;

    nodes_done |= 1u << node;
    ops[node] = taken_op;
    thread_of[role] = (uint16_t)taker;
    role_of[taker] = (uint16_t)role;
    at++;
    progress_at = view->steps;
}

/* The thread has done the operation that was to be the next step. */
static void settle_taken(const struct sched_view *view)
{
    bool wrote = taken_op.kind != EV_LOAD &&
                 !(taken_op.kind == EV_RMW && view->threads[taker].cas_failed);
    bool buffered = wrote && goal_is_buffered(view, taker, &taken_op);

    taking = false;
    if (!stale && !at) {
        if (!buffered)
            return;
        holding = true;
        holder = taker;
        advance(view);
    } else if (buffered) {
        committing = true;
    } else if (stale && is_last_step() && !was_stale) {
        forget_plan(view);
    } else if (wrote || goal->nodes[step_node(at)].reads) {
        advance(view);
    }
}

static uint32_t position_of(const struct sched_view *view, uint32_t t,
                            const struct sched_op *op)
{
    uint32_t n = view->buffered_count(t);

    for (uint32_t i = 0; i < n; i++) {
        struct sched_op b = view->buffered(t, i);

        if (b.address == op->address && b.site == op->site)
            return i;
    }
    return UINT32_MAX;
}

static void settle(const struct sched_view *view)
{
    if (taking)
        settle_taken(view);
    if (committing && position_of(view, taker, &taken_op) == UINT32_MAX) {
        committing = false;
        advance(view);
    }
    if (holding && position_of(view, holder, &ops[pair]) == UINT32_MAX)
        forget_plan(view);
    else if (stale && at == goal->node_count)
        forget_plan(view);
}

/* ---- Commits ---- */

#define NO_DECISION UINT32_MAX

/* That store, or one that goes before it; not the held one. */
static uint32_t commit_towards(const struct sched_view *view, uint32_t t,
                               const struct sched_op *op, uint32_t kept)
{
    uint16_t positions[PICK_POSITIONS];
    uint32_t n = view->committable(t, positions, PICK_POSITIONS);
    uint32_t p = position_of(view, t, op);
    uint32_t best = NO_DECISION;

    for (uint32_t i = 0; i < n && positions[i] <= p; i++)
        if (positions[i] != kept)
            best = positions[i];
    return best == NO_DECISION ? best : DECISION(DECIDE_COMMIT, t << 12 | best);
}

static uint32_t kept_position(const struct sched_view *view, uint32_t t)
{
    return holding && t == holder ? position_of(view, t, &ops[pair])
                                  : UINT32_MAX;
}

static uint32_t commit_step(const struct sched_view *view)
{
    uint32_t d = NO_DECISION;

    if (committing) {
        d = commit_towards(view, taker, &taken_op, kept_position(view, taker));
        if (d == NO_DECISION) /* it waits for the held one */
            forget_plan(view);
    } else if (holding && at == goal->node_count) {
        d = commit_towards(view, holder, &ops[pair], UINT32_MAX);
    }
    return d;
}

/* Any store but the held one. */
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
        if (kept != UINT32_MAX)
            n = view->committable(t, positions, PICK_POSITIONS);
        for (uint32_t j = 0; j < n; j++)
            if (positions[j] != kept)
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
        enum verdict v = judge(view, t);

        f->threads[v][f->count[v]++] = (uint16_t)t;
    }
}

static uint32_t one_of(const struct found *f, enum verdict v)
{
    return f->threads[v][rng_below(&rng, f->count[v])];
}

static uint32_t take(const struct sched_view *view, uint32_t t)
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

static uint32_t free_thread(const struct sched_view *view,
                            const struct found *f)
{
    uint32_t t = view->current;

    if (view->threads[t].ready_at != UINT32_MAX && !view->threads[t].spun &&
        !rng_chance(&rng, switch_parts) && judge(view, t) == FREE)
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
        f.count[HOLD] + f.count[REST] + holding) {
        lose_patience(view, &f);
        find_threads(view, &f);
    }
    if (f.count[TAKE] && (!f.count[FREE] || rng_chance(&rng, eager_parts)))
        t = take(view, one_of(&f, TAKE));
    else if (f.count[FREE])
        t = free_thread(view, &f);
    else
        t = let_pass(view, &f);
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
    patience = patiences[rng_below(&rng, 3)];
    all_rest = rng_chance(&rng, 512);
    if (run_number < SIMPLE_RUNS)
        return;
    first_parts = takes[rng_below(&rng, 5)];
    other_parts = others[rng_below(&rng, 5)];
    eager_parts = eagers[rng_below(&rng, 4)];
}

/* Some cycles need a second reordering before theirs can come about. */
static void draw_looseness(void)
{
    static const uint16_t commits[] = {20, 80, 250, 600};
    static const uint16_t stales[] = {100, 500, 900, 1000};

    if (run_number < SIMPLE_RUNS || rng_chance(&rng, 384))
        return;
    commit_parts = commits[rng_below(&rng, 4)];
    stale_parts = stales[rng_below(&rng, 4)];
    walks = rng_chance(&rng, 384);
}

static void begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    (void)depth;
    rng = rng_seed(seed, run);
    run_number = run;
    draw_manner();
    draw_looseness();
    planned = over = taking = committing = holding = false;
    goal_begin(run);
}

static void made(const struct sched_view *view, uint32_t thread)
{
    (void)view;
    role_of[thread] = NOBODY;
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

static uint32_t next(const struct sched_view *view)
{
    goal_look(view);
    if (!planned)
        make_plan(view);
    if (!over) {
        settle(view);
        over = goal_is_closed();
        holding = holding && !over;
        committing = committing && !over;
    }
    return goal_decide(view, decide(view));
}

static uint32_t choose(enum decision_kind kind, uint32_t n)
{
    if (kind != DECIDE_STALE)
        return rng_below(&rng, n);
    if (taking && stale && is_last_step()) {
        was_stale = true;
        return goal_choose(
            kind, rng_chance(&rng, 896) ? n - 1 : 1 + rng_below(&rng, n - 1));
    }
    if (rng_chance(&rng, stale_parts))
        return goal_choose(kind, 1 + rng_below(&rng, n - 1));
    return 0;
}

const struct strategy strategy_directed = {
    .name = "directed",
    .begin = begin,
    .next = next,
    .choose = choose,
    .ticks = pick_dense,
    .made = made,
    .end = goal_end,
};
