/* SPDX-License-Identifier: MIT
 *
 * The program on SC: what may happen there, what it may observe and print,
 * and how it fails already.  All traces go to src/test/predict.
 */
#include <stdlib.h>
#include <string.h>

#include "expose/expose_inside.h"

#define RECORD_PART 6 /* of the time, for recording and to have all */

void record_keep_failure(struct expose *x, struct shown *e)
{
    if (!shown_failed(e) || e->finding.failure.kind == FAIL_UNSUPPORTED ||
        judge_fails_on_sc(x, &e->finding.failure)) {
        shown_free(e);
        return;
    }
    VEC_PUSH(&x->r->sc, e);
}

/* That execution again, with its decisions. */
static bool again(struct expose *x, struct job j, uint64_t run, struct err *e)
{
    struct shown *found;
    struct worker w;

    j.flags = (j.flags & ~(uint32_t)CHANNEL_TRACE) | CHANNEL_RECORD;
    j.first = run;
    j.count = 1;
    if (!batch_run(x, &j, &w, e))
        return false;
    found = expose_again(x, &w, e);
    pool_release(&x->pool, &w);
    if (found)
        record_keep_failure(x, found);
    return found || batch_was_stopped(x);
}

/* The n-th execution of a batch. */
static bool take(struct expose *x, const struct worker *w, size_t n,
                 struct err *e)
{
    struct arena scratch = ARENA_INIT;
    struct trace t;
    struct err ignored;
    bool ok = true;

    if (trace_from_channel_nth(w->channel, n, x->o->tables, &scratch, &t,
                               &ignored)) {
        predict_add(x->predict, &t);
        if (t.failure.kind == FAIL_NONE) {
            map_put(&x->sc_outcomes, finding_outcome(w->channel, n));
            map_put(&x->sc_outcomes, finding_observed(w->channel, n));
        } else if (!judge_fails_on_sc(x, &t.failure))
            ok = again(x, w->job, t.run, e);
    }
    arena_free(&scratch);
    trace_forget_nth(w->channel, n);
    return ok;
}

/* Not even one came to its end: what it did until then. */
static void take_begun(struct expose *x, const struct worker *w)
{
    struct arena scratch = ARENA_INIT;
    struct trace t;
    struct err ignored;

    if (trace_from_channel(w->channel, x->o->tables, &scratch, &t, &ignored))
        predict_add(x->predict, &t);
    arena_free(&scratch);
}

static bool take_all(struct expose *x, const struct worker *w, struct err *e)
{
    const struct channel *c = w->channel;
    size_t count = c->execution_count < CHANNEL_EXECUTIONS_MAX
                       ? c->execution_count
                       : CHANNEL_EXECUTIONS_MAX;

    for (size_t i = 0; i < count && !stop_now(&x->r->stop); i++) {
        if (!take(x, w, i, e) || !batch_poll(x, i, e))
            return false;
    }
    if (!count && w->end == WORKER_STOPPED && !stop_now(&x->r->stop))
        take_begun(x, w);
    x->r->sc_executions += count;
    return true;
}

/* If there are so few executions that all can be had, what SC does is known. */
static bool record_every(struct expose *x, struct err *e)
{
    struct every v;
    struct worker w;
    bool few, ok;

    ok = batch_every(x, &model_sc, &v, &w, &few, e);
    if (ok && few) {
        ok = take_all(x, &w, e);
        x->r->sc_complete = batch_is_whole(x, &v, &w);
        pool_release(&x->pool, &w);
        if (!x->r->sc_complete)
            batch_drop_ahead(x);
    }
    every_free(&v);
    return ok;
}

static bool record_hunted(struct expose *x, struct err *e)
{
    struct shown *found;

    if (x->r->sc_complete || x->r->sc.count || stop_now(&x->r->stop))
        return true;
    if (!hunt_failure(x, &model_sc, &found, e))
        return false;
    if (found)
        record_keep_failure(x, found);
    return true;
}

bool record_sc(struct expose *x, struct err *e)
{
    struct job j = x->o->base;
    struct worker w;
    bool ok;

    j.model = model_sc.name;
    j.strategy = STRATEGY_POS;
    j.flags |= CHANNEL_KEEP_GOING | CHANNEL_TRACE;
    j.count = x->o->recorded;
    share_begin(x, x->o->time_ms / RECORD_PART);
    if (!batch_run(x, &j, &w, e))
        return false;
    share_end(x);
    batch_account(x, &model_sc, &w);
    ok = take_all(x, &w, e);
    pool_release(&x->pool, &w);
    share_begin(x, x->o->time_ms / RECORD_PART);
    ok = ok && record_every(x, e) && record_hunted(x, e);
    share_end(x);
    return ok;
}
