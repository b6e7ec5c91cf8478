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
#include "cmd/command.h"
#include "cmd/keep.h"
#include "cmd/limits.h"
#include "cmd/mend.h"
#include "cmd/sample.h"
#include "cmd/sample_graphs.h"
#include "finding/gate.h"
#include "verify/verify.h"

/* First and last of each model; or one of each sort. */
#define CYCLE_LENGTH 8
#define MENDING_MS 5000
/* Where nobody named one without a machine it may take so long: a graph costs
 * much more than an execution of a machine, if the program is large. */
#define OWN_GRAPHS_MS 2000
#define FINDINGS_MAX ((2 + CHANNEL_KNOWN_MAX) * OPTIONS_MODELS_MAX)

struct run {
    struct call call;
    bool traced; /* --trace is written */
    bool shown;  /* of graphs: a failure on this model is a finding, or was one
                    on a stronger one */
    uint64_t runs; /* on each model */
    /* The last model with a machine: without a failure its last execution is
     * what --trace writes. */
    struct job last_job;
    struct sample last;
    uint64_t graphs_until_ms; /* of this model; 0: no limit */
    struct shown *findings[FINDINGS_MAX];
    size_t finding_count;
};

/* What the user does not say is random, and mixed where there is no machine. */
static uint32_t strategy_for(const struct options *o, const struct model *m)
{
    return model_has_machine(m) || options_given(o, "strategy")
               ? (uint32_t)o->strategy
               : STRATEGY_MIXED;
}

static void job_of(const struct run *r, const struct model *m, struct job *j)
{
    *j = target_job(r->call.options, &r->call.target);
    j->model = m->name;
    j->strategy = strategy_for(r->call.options, m);
}

static bool write_trace(struct run *r, const struct trace *t, struct err *e)
{
    if (!r->call.options->trace || r->traced)
        return true;
    r->traced = true;
    return trace_write(t, r->call.options->trace, e);
}

static bool is_known(const struct run *r, const struct shown *s)
{
    for (size_t i = 0; i < r->finding_count; i++) {
        const struct shown *other = r->findings[i];

        if (s->class == CLASS_RACE
                ? shown_same_race(other, s)
                : finding_same_failure(&other->finding.failure,
                                       &s->finding.failure))
            return true;
    }
    return false;
}

static struct gate gate_of(struct run *r)
{
    return (struct gate){.binary = r->call.target.binary,
                         .tables = &r->call.target.tables,
                         .until_ms = r->call.until_ms,
                         .arena = &r->call.arena};
}

/* It has passed the gate: it is a finding. */
static bool keep_failure(struct run *r, struct shown *s, const struct gate *g,
                         struct err *e)
{
    if (!write_trace(r, &s->trace, e))
        return false;
    if (model_has_machine(s->finding.model) && s->finding.model != &model_sc)
        shown_explain(s, CYCLE_LENGTH);
    CHECK(r->finding_count < FINDINGS_MAX);
    r->findings[r->finding_count++] = s;
    if (*g->trace_error.text)
        lines_add(&r->call.limits, "finding f%zu has no interleaving: %s",
                  r->finding_count, g->trace_error.text);
    return true;
}

static void limit_unreported(struct run *r, const struct model *m, uint64_t run,
                             const char *message, const char *why)
{
    lines_add(&r->call.limits,
              "execution %" PRIu64 " on %s failed (%s), but is not "
              "reported: %s",
              run, m->words, message, why);
    r->call.report.unfinished = true;
}

/* A failure seen while sampling.  *shown: it is a finding now, or was one.
 * False: e says why nothing can be written. */
static bool take_failure(struct run *r, const struct model *m,
                         const struct job *j,
                         const struct channel_failure *failure, bool *shown,
                         struct err *e)
{
    struct shown *s = arena_alloc(&r->call.arena, sizeof(*s));
    struct gate g = gate_of(r);
    struct channel_failure known = *failure;

    if (known.site >= r->call.target.tables.site_count)
        known.site = 0;
    finding_of_job(j, known.run, &r->call.target.tables, &s->finding);
    s->finding.failure = known;
    s->class = class_of_failure(m);
    /* Reported under the strongest model that shows it. */
    *shown = is_known(r, s);
    if (*shown)
        return true;
    if (!gate_replay_seed(&g, s, e)) {
        limit_unreported(r, m, known.run, known.message, e->text);
        return true;
    }
    *shown = true;
    return keep_failure(r, s, &g, e);
}

static void take_sample(struct run *r, const struct model *m,
                        const struct sample *s)
{
    struct report_model *to = command_add_model(&r->call, m);

    to->strategy = strategy_words(strategy_for(r->call.options, m));
    to->executions = s->counts.executions;
    to->failed = s->counts.failed;
    to->cut = s->counts.cut;
    to->assumed = s->counts.assumed;
    to->seconds = s->counts.seconds;
    to->stopped = limits_why_stopped(s, &r->call.arena);
    to->outcomes = s->outcomes;
    to->done = (struct done){.started = s->counts.executions > 0,
                             .exhausted = s->counts.exhausted,
                             .ended = s->counts.complete > 0,
                             .cut = s->counts.cut > 0,
                             .unfinished = s->end != SAMPLE_DONE,
                             .only_sc = m == &model_sc};
    limits_of_sample(&r->call.limits, r->call.options, m, s);
    limits_of_program(&r->call.limits, r->call.options, &r->call.target.tables,
                      &s->counts);
    command_note_checks(&r->call, &s->counts);
    command_add_awaits(&r->call, &s->counts);
}

/* --trace without a failure: the last execution, again. */
static bool trace_last(struct run *r, struct err *e)
{
    struct finding f;
    struct replayed again;

    if (!r->call.options->trace || r->traced)
        return true;
    if (r->last.counts.executions == 0) {
        lines_add(&r->call.limits,
                  "--trace: no execution failed, and others are not traced "
                  "where they are drawn as graphs");
        return true;
    }
    finding_of_job(&r->last_job, r->last.counts.executions - 1,
                   &r->call.target.tables, &f);
    if (!finding_execute(&f, r->call.target.binary, false, r->call.until_ms,
                         &r->call.target.tables, &r->call.arena, &again, e))
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

static bool take_failures(struct run *r, const struct model *m,
                          const struct job *j, const struct sample *s,
                          struct err *e)
{
    bool shown[2] = {false};

    if ((is_finding(&s->first) &&
         !take_failure(r, m, j, &s->first, &shown[0], e)) ||
        (is_finding(&s->last) && !finding_same_failure(&s->first, &s->last) &&
         !take_failure(r, m, j, &s->last, &shown[1], e)))
        return false;
    r->call.models[r->call.report.model_count - 1].done.failed =
        shown[0] || shown[1];
    return true;
}

static bool run_model(struct run *r, const struct model *m, struct err *e)
{
    struct sample s;
    struct job j;

    job_of(r, m, &j);
    if (!sample_run(&j, r->runs, (unsigned)r->call.options->jobs,
                    r->call.options->keep_going, r->call.until_ms,
                    &r->call.arena, &s, e))
        return false;
    take_sample(r, m, &s);
    point_reached("run.sampled");
    if (!take_failures(r, m, &j, &s, e))
        return false;
    if (r->call.options->keep_going && s.counts.failed > 1)
        lines_add(&r->call.limits,
                  "of %" PRIu64 " failing executions on %s the first and "
                  "the last are kept",
                  s.counts.failed, m->words);
    r->last_job = j;
    r->last = s;
    return true;
}

/* ---- Executions as graphs ---- */

struct graph_run {
    struct run *run;
    const struct model *model;
    const struct job *job;
};

static struct verify_options verify_options_of(const struct graph_run *g)
{
    return (struct verify_options){.base = *g->job,
                                   .tables = &g->run->call.target.tables,
                                   .until_ms = g->run->call.until_ms};
}

/* The machine of the model takes its steps, and from then on it is an execution
 * like any other.  NULL: it could not, or there is no time left. */
static struct shown *bring_about(const struct graph_run *g,
                                 const struct worker *w, const char **why,
                                 struct err *e)
{
    struct run *r = g->run;
    struct verify_options o = verify_options_of(g);
    struct shown *s = arena_alloc(&r->call.arena, sizeof(*s));
    struct stop stop = {.until_ms = r->call.until_ms};
    bool done = false;

    if (!verify_take_found(&o, g->model, w, &r->call.arena, s, &done, e)) {
        if (stop_now(&stop))
            e->text[0] = '\0';
        *why = stop.why;
        return NULL;
    }
    s->finding.strategy = strategy_words(g->job->strategy);
    s->finding.run = w->channel->run;
    s->class = class_of_failure(g->model);
    *why = "no machine could do it";
    return done && shown_failed(s) ? s : NULL;
}

/* On a model without a machine its axioms judge it.  Nobody looks for a cure
 * here. */
static struct shown *judge(const struct graph_run *g, const struct worker *w,
                           const char **why)
{
    struct verify_options o = verify_options_of(g);
    struct shown *s = verify_tell_found(&o, g->model, w, &g->run->call.arena);

    *why = "the model does not allow it";
    if (s)
        s->fence_count = 0;
    return s;
}

/* What passes the gate is a finding. */
static bool take_shown(struct graph_run *g, const struct worker *w,
                       struct shown *s, struct err *e)
{
    struct run *r = g->run;
    struct gate gate = gate_of(r);

    r->shown = true;
    if (is_known(r, s))
        return true;
    if (!s->past_gate && !gate_replay(&gate, s, e)) {
        r->shown = false;
        limit_unreported(r, g->model, w->channel->run, "a graph", e->text);
        e->text[0] = '\0';
        return true;
    }
    return keep_failure(r, s, &gate, e);
}

static bool take_found(void *context, const struct worker *w, struct err *e)
{
    struct graph_run *g = context;
    const char *why = NULL;
    struct shown *s = model_has_machine(g->model) ? bring_about(g, w, &why, e)
                                                  : judge(g, w, &why);

    if (s)
        return take_shown(g, w, s, e);
    if (*e->text)
        return false;
    limit_unreported(g->run, g->model, w->channel->run, "a graph", why);
    return true;
}

/* Draws so many on that mapping of the model, or on the model. */
static bool draw_graphs(struct run *r, const struct model *m, uint64_t runs,
                        struct sample *sum, struct err *e)
{
    struct sample s;
    struct job j;
    struct graph_run found = {r, m, &j};
    struct sample_graphs g = {.base = &j,
                              .runs = runs,
                              .keep_going = r->call.options->keep_going,
                              .until_ms = r->graphs_until_ms,
                              .arena = &r->call.arena,
                              .found = take_found,
                              .context = &found};

    job_of(r, m, &j);
    if (!sample_graphs(&g, &s, e))
        return false;
    sample_add(sum, &s, &r->call.arena);
    return true;
}

/* All mappings of C to a processor have a share. */
static bool draw_mappings(struct run *r, const struct model *m,
                          struct sample *sum, struct err *e)
{
    const struct options *o = r->call.options;
    const struct model *list[MODEL_ASKED_MAX];
    size_t count = model_mappings(m, (unsigned)o->arm, o->rcpc, list);

    for (size_t i = 0; i < count; i++) {
        uint64_t runs = (r->runs + count - 1 - i) / count;

        if (runs && !draw_graphs(r, list[i], runs, sum, e))
            return false;
        if (sum->end != SAMPLE_DONE || (r->shown && !o->keep_going))
            break;
    }
    return true;
}

/* A model that is ours to choose has a share of our own. */
static void begin_share(struct run *r)
{
    uint64_t own = worker_now_ms() + OWN_GRAPHS_MS;

    r->graphs_until_ms = r->call.until_ms;
    if (!options_given(r->call.options, "model") &&
        (!r->call.until_ms || own < r->call.until_ms))
        r->graphs_until_ms = own;
}

/* What was not drawn within that share is no more than a smaller number. */
static void end_share(const struct run *r, struct sample *s)
{
    if (s->end != SAMPLE_STOPPED || worker_interrupted() ||
        worker_time_is_up(r->call.until_ms))
        return;
    s->end = SAMPLE_DONE;
    s->why = s->counts.executions ? NULL
                                  : "none came to its end in the 2 s that "
                                    "they have without --model";
}

/* The program has no executions there that can be drawn, and nobody asked for
 * that model by name. */
static bool leave_out(struct run *r, const struct model *m,
                      const struct sample *s)
{
    if (!s->why || s->end == SAMPLE_STOPPED || s->counts.executions ||
        r->shown || options_named(r->call.options, m))
        return false;
    command_leave_out(&r->call, m, s->refused ? s->refused : s->why);
    return true;
}

static bool run_graphs(struct run *r, const struct model *m, struct err *e)
{
    const struct options *o = r->call.options;
    struct sample s = {.end = SAMPLE_DONE};

    r->shown = false;
    begin_share(r);
    if (!draw_mappings(r, m, &s, e))
        return false;
    end_share(r, &s);
    if (leave_out(r, m, &s))
        return true;
    take_sample(r, m, &s);
    point_reached("run.sampled");
    r->call.models[r->call.report.model_count - 1].done.failed = r->shown;
    if (o->keep_going && s.counts.failed > 1)
        lines_add(&r->call.limits,
                  "of %" PRIu64 " failing executions on %s one of each sort "
                  "is kept",
                  s.counts.failed, m->words);
    return true;
}

/* ---- All models ---- */

/* One that means something to the machines alone, or NULL. */
static const char *machine_option(const struct options *o)
{
    static const char *const of_machines[] = {
        "locks", "cas", "deps", "buffer", "max-events", "by-process"};

    for (size_t i = 0; i < sizeof(of_machines) / sizeof(*of_machines); i++) {
        if (options_given(o, of_machines[i]))
            return of_machines[i];
    }
    return NULL;
}

static bool fits(const struct options *o, const struct model *m, struct err *e)
{
    const char *words = strategy_words(strategy_for(o, m));
    const char *option = machine_option(o);

    if (!strategy_makes_graphs(strategy_for(o, m)))
        return model_has_machine(m) ||
               err_set(e,
                       "--strategy %s needs a machine, and %s has none: "
                       "descent, forward, depth or mixed",
                       words, m->words);
    if (option && options_given(o, "strategy"))
        return err_set(e, "--strategy %s has no --%s", words, option);
    return !option || err_set(e, "--model %s has no --%s", m->name, option);
}

/* What `all` stands for are the models that have all that is asked for; so it
 * is for other words that stand for several. */
static bool choose_models(struct call *call, struct err *e)
{
    struct options *o = call->options;
    size_t n = 0;

    for (size_t i = 0; i < o->model_count; i++) {
        const struct model *m = o->models[i];

        if (fits(o, m, e)) {
            o->models[n++] = m;
            continue;
        }
        if (options_named(o, m) || model_has_machine(m))
            return false;
        lines_add(&call->limits, "executions on %s: %s", m->words, e->text);
        e->text[0] = '\0';
    }
    o->model_count = n;
    return true;
}

static int open_run(struct call *call, struct err *e)
{
    int code;

    command_choose_models(call->options);
    code = choose_models(call, e) ? command_open_target(call, e) : EXIT_USAGE;
    return code || command_has_dependencies(call, e) ? code : EXIT_USAGE;
}

/* Where the models are our choice they share the executions. */
static uint64_t runs_each(const struct options *o)
{
    if (options_given(o, "model") || !o->model_count)
        return o->runs;
    return (o->runs + o->model_count - 1) / o->model_count;
}

static bool run_models(struct call *call, struct err *e)
{
    struct run *r = (struct run *)call;
    const struct options *o = call->options;

    r->runs = runs_each(o);
    for (size_t i = 0; i < o->model_count && !worker_interrupted();
         i = call->report.model_count) {
        const struct model *m = o->models[i];

        if (strategy_makes_graphs(strategy_for(o, m)) ? !run_graphs(r, m, e)
                                                      : !run_model(r, m, e))
            return false;
    }
    if (call->report.model_count < o->model_count)
        call->report.unfinished = true;
    return trace_last(r, e);
}

/* A cycle that is shown leaves SC, on every machine that is as weak. */
static void note_left_sc(struct call *call, const struct shown *s)
{
    for (size_t i = 0; i < call->report.model_count; i++) {
        const struct model *m = call->models[i].model;

        if (s->cycle.length && model_has_machine(m) &&
            model_has_machine(s->finding.model) &&
            model_number(m) >= model_number(s->finding.model))
            call->models[i].done.left_sc = true;
    }
}

static bool fill_report(struct call *call, struct err *e)
{
    struct run *r = (struct run *)call;
    struct report *to = &call->report;

    if (!call->interrupted &&
        !mend_findings(call, r->findings, r->finding_count, MENDING_MS, e))
        return false;
    for (size_t i = 0; i < r->finding_count; i++) {
        note_left_sc(call, r->findings[i]);
        if (!keep_shown(call->options, &call->target, r->findings[i],
                        &call->arena, e))
            return false;
    }
    to->findings = (const struct shown *const *)r->findings;
    to->finding_count = r->finding_count;
    return true;
}

int cmd_run(struct options *o, struct err *e)
{
    static const struct call_steps steps = {
        .open = open_run, .work = run_models, .fill = fill_report};
    struct run r = {.call.report.command = "run"};

    return command_work(&r.call, o, &steps, e);
}
