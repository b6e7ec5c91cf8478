/* SPDX-License-Identifier: MIT
 *
 * The tested program as a process, and what an execution leaves behind.
 */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "expose/expose_inside.h"

#define POLL_EVERY 64 /* executions */

/* A program that cannot be watched on SC is refused; one that later does what
 * we cannot run, on some path, is tested without that path. */
static void note_refusal(struct expose *x, const struct worker *w)
{
    struct channel_failure f;
    struct buf why = {0};

    if (x->looks_first)
        return; /* who records will see */
    if (w->end == WORKER_BAD)
        worker_complaint(w, &why);
    else if (worker_failure(w, &f) && f.kind == FAIL_UNSUPPORTED)
        buf_puts(&why, f.message);
    if (why.count && !x->watched)
        x->r->stop.refused = arena_copy(x->arena, why.bytes);
    else if (why.count && !x->r->trouble)
        x->r->trouble = arena_copy(x->arena, why.bytes);
    buf_free(&why);
}

bool batch_fill(struct expose *x, struct err *e)
{
    return ahead_fill(x, e) && every_ahead_fill(x, e) && told_ahead_fill(x, e);
}

void batch_drop_ahead(struct expose *x)
{
    x->looks_ahead = false;
    every_ahead_end(x);
    told_ahead_end(x);
    told_ahead_begin(x);
}

bool batch_poll(struct expose *x, size_t n, struct err *e)
{
    return n % POLL_EVERY ||
           (pool_wait(&x->pool, worker_now_ms(), e) && batch_fill(x, e));
}

bool batch_wait(struct expose *x, struct task *t, struct worker *w,
                struct err *e)
{
    struct stop *stop = &x->r->stop;
    bool ok = true;

    while (ok && t->running && !stop_now(stop) && !share_is_over(x, &t->worker))
        ok = batch_fill(x, e) && pool_wait(&x->pool, share_look_ms(x), e);
    share_take(x, &t->worker);
    x->share.stopped = x->share.stopped || (x->share.over && t->running);
    pool_stop(&x->pool, t);
    *w = t->worker;
    if (!ok)
        pool_release(&x->pool, w);
    else if (w->job.strategy != STRATEGY_GRAPH) /* that has another way */
        note_refusal(x, w);
    return ok;
}

bool batch_run(struct expose *x, const struct job *job, struct worker *w,
               struct err *e)
{
    struct task t = {.owner = NULL};
    struct job j = *job;

    j.stay = true;
    return pool_start(&x->pool, &t, &j, e) && batch_wait(x, &t, w, e);
}

void batch_add_counts(struct expose *x, const struct model *m,
                      const struct counts *counts)
{
    for (size_t i = 0; i < x->o->model_count; i++) {
        if (x->o->models[i] == m)
            counts_add(&x->r->models[i].counts, counts);
    }
}

void batch_account(struct expose *x, const struct model *m,
                   const struct worker *w)
{
    struct counts counts = {.executions = 0};

    counts_take(&counts, w, NULL, x->arena);
    batch_add_counts(x, m, &counts);
}

static void take_replay(struct expose *x, const struct worker *w,
                        struct shown *e)
{
    struct replayed again;

    finding_results(w, &e->finding, x->o->tables, &e->arena, &again);
    e->trace = again.trace;
    e->finding.outcome = again.outcome;
    e->finding.output = again.output;
    e->finding.output_lost = again.output_lost;
    if (again.failed)
        e->finding.failure = again.failure;
    else
        memset(&e->trace.failure, 0, sizeof(e->trace.failure));
}

/* Searching goes without traces, which would make it several times slower:
 * what is worth looking at is run again from its decisions.  Half an execution
 * is nothing to look at. */
struct shown *expose_again(struct expose *x, const struct worker *w,
                           struct err *e)
{
    struct worker again;
    struct shown *found;
    struct job j;

    if (w->end == WORKER_STOPPED)
        return NULL;
    found = shown_new();
    finding_again(w, x->o->tables, &found->arena, &found->finding, &j);
    if (j.fence_count && j.fences[0].bits == CHANNEL_FENCE_COMMIT)
        j.fence_count = 0; /* its decisions have those commits */
    if (!batch_run(x, &j, &again, e)) {
        shown_free(found);
        return NULL;
    }
    if (again.end != WORKER_STOPPED) {
        take_replay(x, &again, found);
    } else {
        shown_free(found);
        found = NULL;
    }
    pool_release(&x->pool, &again);
    return found;
}
