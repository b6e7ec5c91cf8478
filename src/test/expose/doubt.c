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

/* Executions by one strategy until that failure comes; all that fail are kept
 * as failures on SC. */
static bool look_for(struct expose *x, const struct channel_failure *f,
                     uint32_t strategy, bool *found, struct err *e)
{
    struct job j = x->o->base;

    j.model = model_sc.name;
    j.strategy = strategy;
    j.flags |= CHANNEL_RECORD;
    for (int i = 0; i < FAILURES_MAX && j.first < EXECUTIONS && !*found; i++) {
        struct worker w;
        struct channel_failure other;
        struct shown *it = NULL;
        bool failed;

        j.count = EXECUTIONS - j.first;
        if (!batch_run(x, &j, &w, e))
            return false;
        failed = w.end != WORKER_HUNG && worker_failure(&w, &other);
        j.first = w.channel->run + 1;
        if (failed)
            it = expose_again(x, &w, e);
        pool_release(&x->pool, &w);
        if (failed && !it)
            return stop_now(&x->r->stop);
        if (!failed || stop_now(&x->r->stop))
            break;
        *found = finding_same_sort(&other, f);
        record_keep_failure(x, it);
    }
    return true;
}

bool doubt_failure(struct expose *x, const struct shown *it, struct err *e)
{
    static const uint32_t strategies[] = {STRATEGY_POS, STRATEGY_RANDOM,
                                          STRATEGY_PCT};
    const struct channel_failure *f = &it->finding.failure;
    bool found = false;

    if (!shown_failed(it) || x->r->sc_complete || is_settled(x, f))
        return true;
    doubt_settle(x, f);
    for (size_t i = 0; i < 3 && !found && !stop_now(&x->r->stop); i++) {
        if (!look_for(x, f, strategies[i], &found, e))
            return false;
    }
    return true;
}
