/* SPDX-License-Identifier: MIT
 *
 * `pos`: partial-order sampling.  Every announced operation has a random
 * priority and the highest goes first; when one is done, those that conflict
 * with it draw again.  Unlike a random walk this favours no ordering of two
 * conflicting operations, however many unrelated steps lie between them.
 *
 * A store buffer competes like a thread: its priority is drawn when a store
 * becomes the next to commit.
 */
#include "schedule/schedule.h"

#include "schedule/pick.h"

static uint64_t rng;
static uint64_t buffers[SCHED_MAX_THREADS];

static void pos_begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    (void)depth;
    rng = rng_seed(seed, run);
}

static uint64_t draw(void)
{
    return rng_next(&rng) | 1;
}

static void pos_made(const struct sched_view *view, uint32_t thread)
{
    view->threads[thread].priority = draw();
    buffers[thread] = draw();
}

static bool writes(enum event_kind kind)
{
    return kind != EV_LOAD && kind != EV_AWAIT;
}

static bool conflict(const struct sched_op *a, const struct sched_op *b)
{
    if (!a->address || !b->address || (!writes(a->kind) && !writes(b->kind)))
        return false;
    return a->address < b->address + (b->size ? b->size : 8) &&
           b->address < a->address + (a->size ? a->size : 8);
}

/* It did what it had announced, which is still in its `op`. */
static void pos_did(const struct sched_view *view, uint32_t thread)
{
    struct sched_thread *t = &view->threads[thread];

    for (uint32_t i = 0; i < view->ready_count; i++) {
        struct sched_thread *other = &view->threads[view->ready[i]];

        if (other != t && conflict(&t->op, &other->op))
            other->priority = draw();
    }
    t->priority = draw();
}

static uint32_t pos_next(const struct sched_view *view)
{
    uint64_t best = 0;
    uint32_t who = 0;
    bool commits = false;

    if (view->timed_count &&
        ((!view->ready_count && !view->buffering_count) || rng_chance(&rng, 8)))
        return pick_wake(view, &rng);
    for (uint32_t i = 0; i < view->ready_count; i++) {
        struct sched_thread *t = &view->threads[view->ready[i]];

        if (t->spun && view->ready_count > 1) {
            t->spun = false;
            t->priority = draw() >> 8;
        }
        if (t->priority > best) {
            best = t->priority;
            who = view->ready[i];
        }
    }
    for (uint32_t i = 0; i < view->buffering_count; i++) {
        uint32_t t = view->buffering[i];

        if (buffers[t] > best) {
            best = buffers[t];
            who = t;
            commits = true;
        }
    }
    if (!commits)
        return DECISION(DECIDE_RUN, who);
    buffers[who] = draw();
    return pick_commit(view, who, &rng);
}

static uint32_t pos_choose(enum decision_kind kind, uint32_t n)
{
    (void)kind;
    return rng_below(&rng, n);
}

const struct strategy strategy_pos = {
    .name = "pos",
    .begin = pos_begin,
    .next = pos_next,
    .choose = pos_choose,
    .ticks = pick_dense,
    .made = pos_made,
    .did = pos_did,
};
