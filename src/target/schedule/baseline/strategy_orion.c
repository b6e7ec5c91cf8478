/* SPDX-License-Identifier: MIT
 *
 * `orion`: Orion's Algorithm 1 (its section III.B), which enforces the exact
 * order of a cycle's accesses.  Its lines are named below.
 *
 * Executions run forward, as on SC, until a thread comes to a store a_i that
 * the next access of the cycle may overtake.  a_i stays buffered, all other
 * accesses must come one by one in the cycle's order, and a_i is flushed at the
 * end.  Whoever comes too early stalls; stalls last STALL steps, where the
 * paper has two seconds.  Whenever the order cannot be kept it starts over:
 * after a stall that did not help, when the wrong thread takes a turn, when an
 * access of the cycle comes again or somebody else touches the memory of the
 * last one, and when a_i is forced out.
 *
 * One pair is reordered if goal->reorder has one bit, else any of several.  The
 * paper has no rule for loads that overtake loads, and so this has none.
 */
#include "schedule/schedule.h"

#include "schedule/goal.h"
#include "schedule/pick.h"

#define STALL 300u
#define ANYBODY UINT32_MAX
#define NONE UINT32_MAX

enum phase { FORWARD, ORDERED, EXPOSED };

static uint64_t rng;
static enum phase phase;
static uint32_t first;        /* node a_i */
static uint32_t holder;       /* T_i */
static struct sched_op held;  /* a_i */
static uint32_t turn;         /* the node that comes next */
static uint32_t rest;         /* nodes to come, a bit each */
static uint32_t next_thread;  /* NextThread */
static struct sched_op there; /* Addr; size 0: nil */

static uint64_t stalled_at[SCHED_MAX_THREADS]; /* 0: is not */
static bool stalls_done[SCHED_MAX_THREADS];    /* its stall is over */

static bool performing; /* the turn's access has been decided */
static uint32_t performer;
static struct sched_op performed;

static void restart(const struct sched_view *view)
{
    phase = FORWARD;
    performing = false;
    for (uint32_t i = 0; i < view->thread_count; i++) {
        stalled_at[i] = 0;
        stalls_done[i] = false;
    }
}

static void orion_begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    (void)depth;
    rng = rng_seed(seed, run);
    phase = FORWARD;
    performing = false;
    goal_begin(run);
}

static void orion_made(const struct sched_view *view, uint32_t thread)
{
    (void)view;
    stalled_at[thread] = 0;
    stalls_done[thread] = false;
}

/* ---- The order ---- */

/* Lines 5 to 9: is it a store of I?  Of several nodes of its site, one. */
static bool may_begin(const struct sched_op *op)
{
    uint32_t nodes = goal_nodes_at(op->site) & goal->reorder;
    uint32_t n;

    if (!nodes || op->kind != EV_STORE)
        return false;
    n = rng_below(&rng, (uint32_t)__builtin_popcount(nodes));
    while (n--)
        nodes &= nodes - 1;
    first = (uint32_t)__builtin_ctz(nodes);
    return true;
}

static void begin_order(const struct sched_view *view, uint32_t t)
{
    phase = ORDERED;
    holder = t;
    held = view->threads[t].op;
    turn = goal_after(first);
    rest = ((1u << goal->node_count) - 1) & ~(1u << first);
    next_thread = t;
    there.size = 0;
}

/* Lines 20 to 33: the turn's access was made. */
static void pass_turn(const struct sched_view *view)
{
    rest &= ~(1u << turn);
    if (!rest) {
        restart(view);
        phase = EXPOSED;
        return;
    }
    if (goal_conflicts(turn)) {
        next_thread = ANYBODY;
        there = performed;
        stalled_at[performer] = view->steps + 1;
        stalls_done[performer] = true;
    } else {
        next_thread = performer;
        there.size = 0;
    }
    turn = goal_after(turn);
}

/* What became of the last decision. */
static void settle(const struct sched_view *view)
{
    if (phase != ORDERED)
        return;
    if (goal_position(view, holder, &held) == NONE) {
        restart(view);
        return;
    }
    if (performing && performed.kind != EV_LOAD &&
        goal_is_buffered(view, performer, &performed))
        return; /* it is flushed at once */
    if (performing) {
        performing = false;
        pass_turn(view);
    }
}

/* ---- Flushing ---- */

/* A store of that thread, but not a_i while that is to stay. */
static uint32_t flush(const struct sched_view *view, uint32_t t)
{
    uint16_t positions[PICK_POSITIONS];
    uint32_t n, kept = NONE;

    if (view->threads[t].buffer_at == UINT32_MAX)
        return NONE;
    if (phase == ORDERED && t == holder)
        kept = goal_position(view, holder, &held);
    n = view->committable(t, positions, PICK_POSITIONS);
    for (uint32_t i = 0; i < n; i++)
        if (positions[i] != kept)
            return DECISION(DECIDE_COMMIT, t << 12 | positions[i]);
    return NONE;
}

/* Line 50.  On TSO a_i may stand in the way: line 51. */
static uint32_t flush_for_store(const struct sched_view *view, uint32_t t)
{
    uint32_t d = flush(view, t);

    if (d == NONE && performing)
        restart(view);
    return d;
}

/* ---- Who runs ---- */

/* Lines 14 to 45: may that thread go on now? */
enum answer { GO, WAIT };

static enum answer ask(const struct sched_view *view, uint32_t t)
{
    const struct sched_op *op = &view->threads[t].op;
    uint32_t nodes = goal_nodes_at(op->site);

    if (phase != ORDERED || !op->size)
        return GO;
    if (!nodes) {
        if (there.size && goal_overlap(&there, op))
            restart(view);
        return GO;
    }
    if (nodes >> turn & 1) {
        if (next_thread != ANYBODY && next_thread != t)
            restart(view);
        return GO;
    }
    if (nodes & rest) {
        if (!stalled_at[t])
            stalled_at[t] = view->steps + 1;
        return WAIT;
    }
    restart(view);
    return GO;
}

static bool is_stalled(const struct sched_view *view, uint32_t t)
{
    const struct sched_op *op = &view->threads[t].op;

    if (!stalled_at[t] || phase != ORDERED)
        return false;
    if (!stalls_done[t] && goal_nodes_at(op->site) >> turn & 1) {
        stalled_at[t] = 0; /* its turn has come */
        return false;
    }
    if (view->steps - stalled_at[t] + 1 < STALL)
        return true;
    if (stalls_done[t])
        stalled_at[t] = 0;
    else
        restart(view); /* line 16 */
    return false;
}

/* Somebody who does not stall; NONE if all do. */
static uint32_t pick_thread(const struct sched_view *view)
{
    uint32_t n = view->ready_count, at = rng_below(&rng, n), spun = NONE;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t t = view->ready[at];

        at = at + 1 == n ? 0 : at + 1;
        if (is_stalled(view, t) || ask(view, t) == WAIT)
            continue;
        if (!view->threads[t].spun)
            return t;
        spun = t;
    }
    return spun;
}

static uint32_t run_in_order(const struct sched_view *view, uint32_t t)
{
    const struct sched_op *op = &view->threads[t].op;

    stalls_done[t] = false;
    stalled_at[t] = 0;
    if (phase == FORWARD && may_begin(op)) {
        begin_order(view, t);
    } else if (phase == ORDERED && op->size &&
               goal_nodes_at(op->site) >> turn & 1) {
        uint32_t d = op->kind == EV_LOAD ? NONE : flush(view, t);

        if (d != NONE)
            return d;
        performing = true;
        performer = t;
        performed = *op;
    }
    return DECISION(DECIDE_RUN, t);
}

static uint32_t decide(const struct sched_view *view)
{
    uint32_t d = NONE, t = NONE;

    if (performing)
        d = flush_for_store(view, performer);
    if (phase != ORDERED && view->buffering_count && d == NONE)
        d = flush(view, view->buffering[0]);
    if (d != NONE)
        return d;
    if (view->timed_count && (!view->ready_count || rng_chance(&rng, 8)))
        return pick_wake(view, &rng);
    if (view->ready_count)
        t = pick_thread(view);
    if (t != NONE)
        return run_in_order(view, t);
    restart(view); /* nobody can go on: no stall will end well */
    if (view->buffering_count)
        return flush(view, view->buffering[0]);
    return DECISION(DECIDE_RUN, view->ready[0]);
}

static uint32_t orion_next(const struct sched_view *view)
{
    goal_look(view);
    settle(view);
    return goal_decide(view, decide(view));
}

static uint32_t orion_choose(enum decision_kind kind, uint32_t n)
{
    return kind == DECIDE_STALE ? 0 : rng_below(&rng, n);
}

const struct strategy strategy_orion = {
    .name = "orion",
    .begin = orion_begin,
    .next = orion_next,
    .choose = orion_choose,
    .ticks = pick_dense,
    .made = orion_made,
    .inside = goal_inside,
    .end = goal_end,
    .open = goal_open,
};
