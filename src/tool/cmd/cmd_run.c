/* SPDX-License-Identifier: MIT
 *
 * fencer run: executions of a program on one model after the other.  A failure
 * that comes again by its seed and then by its decisions (finding/gate.h) is
 * written down and reported.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/point.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/run_keep.h"
#include "cmd/run_limits.h"
#include "cmd/run_sample.h"
#include "cmd/run_target.h"
#include "cmd/run_tell.h"
#include "finding/gate.h"
#include "report/report.h"

#define FINDINGS_MAX                                                           \
    (2 * OPTIONS_MODELS_MAX) /* first and last of each model                   \
                              */

struct run {
    const struct options *options;
    struct target target;
    struct arena arena;
    struct lines limits;
    uint64_t until_ms;
    bool unfinished; /* something asked for was not done */
    bool traced;     /* --trace is written */
    struct report_model models[OPTIONS_MODELS_MAX];
    size_t model_count;
    const struct shown *findings[FINDINGS_MAX];
    size_t finding_count;
};

static void job_of(const struct run *r, const struct model *m, struct job *j)
{
    *j = target_job(r->options, &r->target);
    j->model = m->name;
    j->strategy = (uint32_t)r->options->strategy;
}

static bool write_trace(struct run *r, const struct trace *t, struct err *e)
{
    if (!r->options->trace || r->traced)
        return true;
    r->traced = true;
    return trace_write(t, r->options->trace, e);
}

static bool is_known(const struct run *r, const struct channel_failure *f)
{
    for (size_t i = 0; i < r->finding_count; i++) {
        if (finding_same_failure(&r->findings[i]->finding.failure, f))
            return true;
    }
    return false;
}

/* A failure seen while sampling.  False: e says why nothing can be written. */
static bool take_failure(struct run *r, const struct model *m,
                         const struct job *j,
                         const struct channel_failure *failure, struct err *e)
{
    struct shown *s = arena_alloc(&r->arena, sizeof(*s));
    struct gate g = {.binary = r->target.binary,
                     .tables = &r->target.tables,
                     .until_ms = r->until_ms,
                     .arena = &r->arena};
    struct channel_failure known = *failure;

    if (known.site >= r->target.tables.site_count)
        known.site = 0;
    /* Reported under the strongest model that shows it. */
    if (is_known(r, &known))
        return true;
    finding_of_job(j, known.run, &r->target.tables, &s->finding);
    s->finding.failure = known;
    s->class = class_of_failure(m);
    if (!gate_replay_seed(&g, s, e)) {
        lines_add(&r->limits,
                  "execution %" PRIu64 " on %s failed (%s), but is not "
                  "reported: %s",
                  known.run, m->words, known.message, e->text);
        r->unfinished = true;
        return true;
    }
    if (!keep_shown(r->options, &r->target, s, &r->arena, e) ||
        !write_trace(r, &s->trace, e))
        return false;
    CHECK(r->finding_count < FINDINGS_MAX);
    r->findings[r->finding_count++] = s;
    if (*g.trace_error.text)
        lines_add(&r->limits, "finding f%zu has no interleaving: %s",
                  r->finding_count, g.trace_error.text);
    return true;
}

static void take_sample(struct run *r, const struct model *m,
                        const struct sample *s)
{
    r->models[r->model_count++] = (struct report_model){
        .model = m,
        .executions = s->counts.executions,
        .failed = s->counts.failed,
        .cut = s->counts.cut,
        .assumed = s->counts.assumed,
        .seconds = s->counts.seconds,
        .stopped = limits_why_stopped(r->options, s, &r->arena),
        .outcomes = s->outcomes};
    if (s->end != SAMPLE_DONE ||
        (s->counts.complete == 0 && s->counts.failed == 0))
        r->unfinished = true;
    limits_of_sample(&r->limits, r->options, m, s);
    limits_of_program(&r->limits, &r->target.tables, s->counts.extern_hits);
}

/* --trace without a failure: the last execution, again. */
static bool trace_last(struct run *r, const struct job *j,
                       const struct sample *s, struct err *e)
{
    struct finding f;
    struct replayed again;

    if (!r->options->trace || r->traced || s->counts.executions == 0)
        return true;
    finding_of_job(j, s->counts.executions - 1, &r->target.tables, &f);
    if (!finding_execute(&f, r->target.binary, false, r->until_ms,
                         &r->target.tables, &r->arena, &again, e))
        return false;
    if (!again.traced) {
        *e = again.trace_error;
        return false;
    }
    return write_trace(r, &again.trace, e);
}

/* Failures that are nobody's fault but ours are no findings. */
static bool is_finding(const struct channel_failure *f)
{
    return f->kind != FAIL_NONE && f->kind != FAIL_UNSUPPORTED;
}

static bool run_model(struct run *r, const struct model *m, bool last,
                      struct err *e)
{
    struct sample s;
    struct job j;
    bool ok;

    job_of(r, m, &j);
    if (!sample_run(&j, r->options->runs, (unsigned)r->options->jobs,
                    r->options->keep_going, r->until_ms, &r->arena, &s, e))
        return false;
    take_sample(r, m, &s);
    point_reached("run.sampled");
    ok = !is_finding(&s.first) || take_failure(r, m, &j, &s.first, e);
    if (ok && is_finding(&s.last) && !finding_same_failure(&s.first, &s.last))
        ok = take_failure(r, m, &j, &s.last, e);
    if (ok && r->options->keep_going && s.counts.failed > 1)
        lines_add(&r->limits,
                  "of %" PRIu64 " failing executions on %s the first and "
                  "the last are kept",
                  s.counts.failed, m->words);
    if (ok && last)
        ok = trace_last(r, &j, &s, e);
    return ok;
}

static bool run_models(struct run *r, struct err *e)
{
    const struct options *o = r->options;

    for (size_t i = 0; i < o->model_count && !worker_interrupted(); i++) {
        if (!run_model(r, o->models[i], i + 1 == o->model_count, e))
            return false;
    }
    if (r->model_count < o->model_count)
        r->unfinished = true;
    return true;
}

static bool tell(struct run *r, struct err *e)
{
    struct report report = {
        .command = "run",
        .program = r->target.program,
        .strategy = strategy_words((unsigned)r->options->strategy),
        .seed = r->options->seed,
        .models = r->models,
        .model_count = r->model_count,
        .findings = r->findings,
        .finding_count = r->finding_count,
        .limits = r->limits.list,
        .limit_count = r->limits.count,
    };

    return tell_report(&report, r->options, e);
}

static int run_all(struct run *r, struct err *e)
{
    r->limits.arena = &r->arena;
    if (!keep_can_write(r->options->json, &r->arena, e) ||
        !keep_can_write(r->options->trace, &r->arena, e) ||
        !target_open(r->options, &r->arena, &r->target, e))
        return r->target.unable ? EXIT_UNFINISHED : EXIT_USAGE;
    if (r->options->time_ms)
        r->until_ms = worker_now_ms() + r->options->time_ms;
    worker_catch_interrupts();
    if (!run_models(r, e) || !tell(r, e))
        return EXIT_UNFINISHED;
    e->text[0] = '\0'; /* of what is a limit */
    return r->finding_count ? EXIT_FOUND
           : r->unfinished  ? EXIT_UNFINISHED
                            : EXIT_NOTHING_FOUND;
}

int cmd_run(struct options *o, struct err *e)
{
    struct run r = {.options = o, .arena = ARENA_INIT};
    int code = run_all(&r, e);

    target_close(&r.target);
    arena_free(&r.arena);
    return code;
}
