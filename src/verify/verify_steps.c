/* SPDX-License-Identifier: MIT
 *
 * An execution that is known as a list of steps, in the order in which they are
 * to take effect: the machine of the model takes them
 * (schedule/strategy_witness.c), and what it did is there to be shown.
 */
#include <string.h>

#include "verify/verify_inside.h"

bool steps_run_job(const struct job *j, uint64_t until_ms, struct worker *w,
                   struct err *e)
{
    struct buf why = {0};

    if (!worker_run(w, j, until_ms, e))
        return false;
    if (w->end != WORKER_STOPPED && w->end != WORKER_BAD)
        return true;
    if (w->end == WORKER_BAD)
        worker_complaint(w, &why);
    else
        buf_puts(&why, "stopped before a witness was there");
    err_set(e, "%s", why.bytes);
    buf_free(&why);
    worker_free(w);
    return false;
}

struct job steps_job(const struct verify_options *o, const struct model *m)
{
    struct job j = o->base;

    j.model = m->name;
    j.flags &= FINDING_FLAGS;
    j.flags |= CHANNEL_LOG;
    j.first = 0;
    j.count = 1;
    j.goal = NULL;
    j.fence_count = 0;
    j.explore = NULL;
    j.stay = false;
    return j;
}

bool steps_take(const struct verify_options *o, const struct job *given,
                struct arena *a, struct shown *shown, bool *done, struct err *e)
{
    struct finding *f = &shown->finding;
    struct job j = *given;
    struct worker w;
    struct replayed r;

    j.strategy = STRATEGY_WITNESS;
    j.flags |= CHANNEL_TRACE | CHANNEL_RECORD;
    if (!steps_run_job(&j, o->until_ms, &w, e))
        return false;
    memset(shown, 0, sizeof(*shown));
    finding_of_job(&j, j.first, o->tables, f);
    finding_results(&w, f, o->tables, a, &r);
    worker_free(&w);
    /* Where it fails it may have no time for the last steps: whether it is what
     * was wanted will be seen. */
    *done =
        r.traced && (r.failed ? r.failure.kind != FAIL_UNSUPPORTED : !r.misfit);
    shown->trace = r.trace;
    f->decisions = r.decisions;
    f->decision_count = r.decision_count;
    f->outcome = r.outcome;
    if (r.failed)
        f->failure = r.failure;
    shown->cycles = 1;
    return true;
}

bool verify_take_found(const struct verify_options *o, const struct model *m,
                       const struct worker *found, struct arena *a,
                       struct shown *shown, bool *done, struct err *e)
{
    struct job j = steps_job(o, m);

    j.witness = (const struct witness_step *)((const char *)found->channel +
                                              CHANNEL_STEPS_AT);
    j.witness_count = found->channel->graph.step_count;
    return steps_take(o, &j, a, shown, done, e);
}
