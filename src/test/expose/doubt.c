/* SPDX-License-Identifier: MIT
 *
 * Does that failure also come on SC?  The executions watched at first are few.
 * Before a reordering is blamed for a failure, SC gets some thousands more to
 * show it too.
 */
#include <stdlib.h>

#include "expose/expose_inside.h"

#define EXECUTIONS 3000 /* by each strategy */
#define FAILURES_MAX 50 /* other ones on the way, by each strategy */

static bool is_settled(const struct expose *x, const struct channel_failure *f)
{
    for (size_t i = 0; i < x->doubts.count; i++) {
        if (finding_same_sort(&x->doubts.list[i], f))
            return true;
    }
    return false;
}

void doubt_settle(struct expose *x, const struct channel_failure *f)
{
    VEC_PUSH(&x->doubts, *f);
}

static const uint32_t strategies[DOUBT_STRATEGIES] = {
    STRATEGY_POS, STRATEGY_RANDOM, STRATEGY_PCT};

static uint64_t *drawn_by(struct expose *x, uint32_t strategy)
{
    size_t i = 0;

    while (strategies[i] != strategy)
        CHECK(++i < DOUBT_STRATEGIES);
    return &x->sc_drawn[i];
}

/* So many executions by one strategy until that failure comes, or any number of
 * failures if it is NULL; all that fail are kept as failures on SC.  They are
 * the same each time, so it goes on where it was the last time. */
static bool look_for(struct expose *x, const struct channel_failure *f,
                     uint32_t strategy, uint64_t count, bool *found,
                     struct err *e)
{
    uint64_t *drawn = drawn_by(x, strategy);
    struct job j = x->o->base;

    j.model = model_sc.name;
    j.strategy = strategy;
    j.first = *drawn;
    j.flags |= CHANNEL_RECORD;
    for (int i = 0; i < FAILURES_MAX && j.first < count && !*found; i++) {
        struct worker w;
        struct channel_failure other;
        struct shown *it = NULL;
        bool failed, is_new, ended;

        j.count = count - j.first;
        if (!batch_run(x, &j, &w, e))
            return false;
        ended = w.end != WORKER_STOPPED;
        failed = w.end != WORKER_HUNG && worker_failure(&w, &other);
        j.first = w.channel->run + 1;
        is_new = failed && !judge_fails_on_sc(x, &other);
        if (is_new)
            it = expose_again(x, &w, e);
        pool_release(&x->pool, &w);
        if (is_new && !it)
            return batch_was_stopped(x);
        if (it)
            record_keep_failure(x, it);
        if (ended)
            *drawn = j.first;
        if (!failed || batch_was_stopped(x))
            break;
        *found = f && finding_same_sort(&other, f);
    }
    return true;
}

bool doubt_draw(struct expose *x, uint32_t strategy, uint64_t count,
                struct err *e)
{
    bool found = false;

    return look_for(x, NULL, strategy, count, &found, e);
}

bool doubt_failure(struct expose *x, const struct shown *it, struct err *e)
{
    const struct channel_failure *f = &it->finding.failure;
    bool found = false;

    if (!shown_failed(it) || x->r->sc_complete || is_settled(x, f) ||
        judge_fails_on_sc(x, f))
        return true;
    doubt_settle(x, f);
    for (size_t i = 0; i < DOUBT_STRATEGIES && !found && !batch_was_stopped(x);
         i++) {
        if (!look_for(x, f, strategies[i], EXECUTIONS, &found, e))
            return false;
    }
    return true;
}
