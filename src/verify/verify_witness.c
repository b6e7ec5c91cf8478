/* SPDX-License-Identifier: MIT
 *
 * From a monitor's report to an execution that is not SC (docs/monitors.md,
 * section 4): the SC execution again, with what happened in it; the order in
 * which its past and the reported operation take effect on the model
 * (witness_past.c, witness_steps.c); an execution of the model in that order
 * (schedule/strategy_witness.c), and its cycle (witness_cycle.c,
 * witness_trace.c); and that execution again, from its decisions.
 */
#include "verify/verify_witness.h"

#include <string.h>

#include "base/log.h"
#include "finding/gate.h"
#include "verify/verify_inside.h"

static struct job job_of(const struct verify_witness *v, const struct model *m)
{
    struct job j = steps_job(v->o, m);

    j.first = v->report->run;
    return j;
}

/* The SC execution again: what happened. */
static bool watch(const struct verify_witness *v, struct witness *w,
                  struct err *e)
{
    struct job j = job_of(v, &model_sc);
    struct worker worker;
    struct happening *log;
    uint64_t n;

    j.strategy = STRATEGY_REPLAY;
    j.schedule = v->decisions;
    j.schedule_count = v->decision_count;
    if (!steps_run_job(&j, v->o->until_ms, &worker, e))
        return false;
    n = worker.channel->happening_count;
    w->count = n < CHANNEL_LOG_MAX ? (uint32_t)n : (uint32_t)CHANNEL_LOG_MAX;
    log = arena_array(w->arena, w->count + 1, sizeof(*log));
    memcpy(log, (const char *)worker.channel + CHANNEL_LOG_AT,
           w->count * sizeof(*log));
    w->log = log;
    worker_free(&worker);
    return true;
}

/* An execution of the model that makes the steps.  *done: it did. */
static bool bring_about(const struct verify_witness *v, const struct witness *w,
                        struct arena *a, struct shown *shown, bool *done,
                        struct err *e)
{
    struct job j = job_of(v, v->model);

    j.witness = w->steps;
    j.witness_count = w->step_count;
    if (!steps_take(v->o, &j, a, shown, done, e))
        return false;
    shown->class = shown_failed(shown) ? CLASS_HARMFUL : CLASS_BENIGN;
    return true;
}

static void log_outcome(const struct verify_witness *v, const char *what)
{
    const struct channel_report *r = v->report;
    const struct fencer_site *sites = v->o->tables->sites;
    size_t n = v->o->tables->site_count;

    LOG(REPLAY, "witness on %s, T%u line %u before T%u line %u: %s",
        v->model->name, r->e_thread, r->e_site < n ? sites[r->e_site].line : 0,
        r->w_thread, r->w_site < n ? sites[r->w_site].line : 0, what);
}

static bool make(struct verify_witness *v, struct witness *w, struct arena *a,
                 struct shown *shown, bool *found, struct err *e)
{
    struct gate g = {.binary = v->o->base.program,
                     .tables = v->o->tables,
                     .until_ms = v->o->until_ms,
                     .arena = a};
    struct witness_cycle cycle;
    struct err why;
    bool done = false;

    if (!watch(v, w, e))
        return false;
    if (!witness_look_back(w)) {
        log_outcome(v, "not about that execution");
        return true;
    }
    witness_make_steps(w, v->decisions, v->decision_count);
    if (!bring_about(v, w, a, shown, &done, e))
        return false;
    if (!done || !witness_find_cycle(w, &cycle) ||
        !witness_check_cycle(w, &cycle, shown)) {
        log_outcome(v, done ? "without its cycle" : "not brought about");
        return true;
    }
    *found = gate_replay(&g, shown, &why);
    v->unsteady = g.unsteady;
    v->source = g.source;
    log_outcome(v, *found ? "found" : why.text);
    return true;
}

bool verify_witness(struct verify_witness *v, struct arena *a,
                    struct shown *shown, bool *found, struct err *e)
{
    struct arena scratch = ARENA_INIT;
    struct witness w = {.model = v->model,
                        .flags = v->o->base.flags,
                        .report = v->report,
                        .arena = &scratch};
    bool ok;

    *found = false;
    memset(shown, 0, sizeof(*shown));
    ok = make(v, &w, a, shown, found, e);
    arena_free(&scratch);
    return ok;
}
