/* SPDX-License-Identifier: MIT
 *
 * fencer verify: every execution up to the bound asked for.  The work is
 * src/verify's; here is what the user asks and sees of it.
 */
#include <inttypes.h>
#include <string.h>

#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/progress.h"
#include "cmd/run_keep.h"
#include "cmd/run_limits.h"
#include "cmd/run_target.h"
#include "cmd/run_tell.h"
#include "finding/mine.h"
#include "report/report.h"
#include "verify/verify.h"

struct verification {
    struct options *options;
    struct target target;
    struct arena arena;
    struct lines limits;
    struct verify_options verify;
    struct verify_result result;
    struct mined mined; /* what a test may observe */
    struct report_model models[OPTIONS_MODELS_MAX];
    bool harm; /* a finding that sets the exit code */
};

/* ---- Monitors ---- */

static bool unknown_monitor(const char *name, struct err *e)
{
    const char *names[MONITOR_COUNT], *near;

    for (unsigned i = 0; i < MONITOR_COUNT; i++)
        names[i] = monitor_name((enum monitor_kind)i);
    near = words_nearest(name, names, MONITOR_COUNT);
    if (near)
        return err_set(e, "unknown monitor '%s', did you mean '%s'?", name,
                       near);
    return err_set(e,
                   "unknown monitor '%s': tso, pso, pslo, sober, tso-clocks, "
                   "burnim-tso or burnim-pso",
                   name);
}

static bool has_model(const struct options *o, const struct model *m)
{
    for (size_t i = 0; i < o->model_count; i++) {
        if (o->models[i] == m)
            return true;
    }
    return false;
}

/* A monitor names its model: without --model it is looked at with SC, with it
 * it must be among those. */
static bool take_monitor(struct verification *t, const char *name,
                         struct err *e)
{
    const struct options *o = t->options;
    enum monitor_kind kind = monitor_find(name);

    if (kind == MONITOR_COUNT)
        return unknown_monitor(name, e);
    if (monitor_needs_all(kind) && !o->no_dpor)
        return err_set(e,
                       "monitor '%s' needs --no-dpor: it is right only if it "
                       "sees every schedule",
                       name);
    if (options_given(o, "model") && !has_model(o, monitor_model(kind)))
        return err_set(e,
                       "monitor '%s' is for model %s, which is not asked for",
                       name, monitor_model(kind)->name);
    t->verify.monitors |= 1u << kind;
    return true;
}

static bool take_list(struct verification *t, struct err *e)
{
    const char *at = t->options->monitors;

    while (true) {
        char name[32];
        size_t n = strcspn(at, ",");

        if (n >= sizeof(name))
            return err_set(e, "unknown monitor '%.40s'", at);
        memcpy(name, at, n);
        name[n] = '\0';
        if (!take_monitor(t, name, e))
            return false;
        if (at[n] == '\0')
            return true;
        at += n + 1;
    }
}

/* SC, and the models of the monitors. */
static void take_models_of_monitors(struct verification *t)
{
    struct options *o = t->options;
    size_t n = 0;

    for (size_t i = 0; i < o->model_count; i++) {
        bool wanted = o->models[i] == &model_sc;

        for (unsigned k = 0; k < MONITOR_COUNT; k++)
            wanted =
                wanted || (t->verify.monitors >> k & 1 &&
                           monitor_model((enum monitor_kind)k) == o->models[i]);
        if (wanted)
            o->models[n++] = o->models[i];
    }
    o->model_count = n;
}

/* Without a list: the view monitor of each model. */
static bool choose_monitors(struct verification *t, struct err *e)
{
    struct options *o = t->options;

    if (o->monitors) {
        if (!take_list(t, e))
            return false;
        if (!options_given(o, "model"))
            take_models_of_monitors(t);
        return true;
    }
    for (unsigned i = MONITOR_TSO; i <= MONITOR_PSLO; i++) {
        if (has_model(o, monitor_model((enum monitor_kind)i)))
            t->verify.monitors |= 1u << i;
    }
    return true;
}

/* ---- What is asked of src/verify ---- */

static void tell_progress(void *arg, const struct verify_progress *p)
{
    (void)arg;
    if (!progress_begin(p->phase))
        return;
    progress_put(": %" PRIu64 " executions", p->executions);
    if (p->failed)
        progress_put(", %" PRIu64 " failed", p->failed);
    for (unsigned i = 0; i < MONITOR_COUNT; i++) {
        if (p->reported >> i & 1)
            progress_put(", not SC on %s",
                         monitor_model((enum monitor_kind)i)->name);
    }
    if (p->explored > 0) {
        progress_put(", %.0f%%", p->explored * 100);
        progress_put_left(p->explored);
    }
    progress_flush();
}

static bool prepare(struct verification *t, struct err *e)
{
    const struct options *o = t->options;
    struct verify_options *v = &t->verify;

    v->base = target_job(o, &t->target);
    v->tables = &t->target.tables;
    v->models = o->models;
    v->model_count = o->model_count;
    v->plain = o->no_dpor;
    v->bounded = options_given(o, "bound");
    v->bound = (uint32_t)o->bound;
    v->unroll_asked = options_given(o, "unroll");
    v->unroll = (uint32_t)o->unroll;
    v->races = o->races;
    v->count_distinct = o->count_traces;
    v->count_reports = o->monitors != NULL;
    v->jobs = (unsigned)o->jobs;
    if (o->time_ms)
        v->until_ms = worker_now_ms() + o->time_ms;
    progress_init(o->quiet);
    v->progress = tell_progress;
    return folder_make(o->out, e) &&
           verify_store_open(arena_printf(&t->arena, "%s/verify.db", o->out),
                             keep_key(o, &t->target, v->base.flags, &t->arena,
                                      "%x %d %d %d %u %u %d %d", v->monitors,
                                      v->count_reports, v->plain, v->bounded,
                                      v->bound, v->unroll, v->races,
                                      v->count_distinct),
                             &v->store, e);
}

/* A test's threads may observe what its serial executions do. */
static bool mine(struct verification *t, struct err *e)
{
    struct job *base = &t->verify.base;
    struct mined *m = &t->mined;

    if (!(t->target.tables.flags & PROGRAM_TEST))
        return true;
    tell_progress(NULL, &(struct verify_progress){.phase = "serial"});
    if (!mine_serial(base, t->verify.until_ms, &t->arena, m, e))
        return false;
    if (m->why_not) {
        lines_add(&t->limits,
                  "observations are not compared with those of "
                  "serial executions: %s",
                  m->why_not);
        return true;
    }
    base->allowed = m->texts;
    base->allowed_count = m->count;
    return true;
}

/* ---- The report ---- */

static bool keep_findings(struct verification *t, struct err *e)
{
    const struct verify_result *r = &t->result;

    for (size_t i = 0; i < r->shown_count; i++) {
        struct shown *s = r->shown[i];

        if (!keep_shown(t->options, &t->target, s, &t->arena, e))
            return false;
        t->harm = t->harm || s->class != CLASS_BENIGN || t->options->strict;
    }
    return true;
}

static void fill_model(struct verification *t, size_t i)
{
    const struct verify_model *m = &t->result.models[i];

    t->models[i] = (struct report_model){
        .model = m->model,
        .executions = m->counts.executions,
        .cut = m->counts.cut,
        .assumed = m->counts.assumed,
        .seconds = m->counts.seconds,
        .complete = m->complete,
        .sc_violation = m->sc_violation,
        .property_broken = m->property_broken,
        .because = m->because,
        .outcomes = m->outcomes,
        .counted = t->options->count_traces,
        .traces = m->counts.distinct,
        .explored = true,
        .redundant = m->counts.redundant,
        .events = m->counts.events,
    };
}

static void take_limits(struct verification *t)
{
    const struct verify_result *r = &t->result;

    for (size_t i = 0; i < r->limits.count; i++)
        lines_add(&t->limits, "%s", r->limits.list[i]);
    limits_of_speed(&t->limits, t->options, r->by_process);
    limits_of_program(&t->limits, &t->target.tables, r->extern_hits);
}

/* Those that were asked to count what they report. */
static size_t fill_monitors(const struct verification *t,
                            struct report_monitor list[MONITOR_COUNT])
{
    size_t count = 0;

    for (unsigned i = 0; t->verify.count_reports && i < MONITOR_COUNT; i++) {
        if (t->verify.monitors >> i & 1)
            list[count++] = (struct report_monitor){
                .name = monitor_name(i),
                .model = monitor_model(i),
                .borderline = t->result.sc.borderline[i],
                .first_seconds = t->result.sc.first_report[i],
            };
    }
    return count;
}

static bool tell(struct verification *t, struct err *e)
{
    struct report_monitor monitors[MONITOR_COUNT];
    struct report report = {
        .command = "verify",
        .program = t->target.program,
        .strategy = strategy_words(STRATEGY_EXPLORE),
        .seed = t->options->seed,
        .models = t->models,
        .model_count = t->options->model_count,
        .findings = (const struct shown *const *)t->result.shown,
        .finding_count = t->result.shown_count,
        .monitors = monitors,
        .monitor_count = fill_monitors(t, monitors),
    };

    for (size_t i = 0; i < t->options->model_count; i++)
        fill_model(t, i);
    take_limits(t);
    report.limits = t->limits.list;
    report.limit_count = t->limits.count;
    return tell_report(&report, t->options, e);
}

/* Nobody knows what a test may observe: that no execution fails is not all. */
static void doubt_answers(struct verification *t)
{
    for (size_t i = 0; t->mined.why_not && i < t->options->model_count; i++) {
        struct verify_model *m = &t->result.models[i];

        m->complete = false;
        if (m->property_broken == ANSWER_NO)
            m->property_broken = ANSWER_UNKNOWN;
    }
}

/* ---- The command ---- */

static bool verify_program(struct verification *t, struct err *e)
{
    bool ok = verify_run(&t->verify, &t->arena, &t->result, e);

    progress_end();
    worker_go_on();
    if (!ok)
        return false;
    if (t->result.stop.refused)
        return err_set(e, "%s: %s", t->target.program, t->result.stop.refused);
    doubt_answers(t);
    if (!keep_findings(t, e) || !tell(t, e))
        return false;
    return t->result.stop.why || verify_store_finish(t->verify.store, e);
}

static int verify_all(struct verification *t, struct err *e)
{
    t->limits.arena = &t->arena;
    if (!choose_monitors(t, e) ||
        !keep_can_write(t->options->json, &t->arena, e) ||
        !target_open(t->options, &t->arena, &t->target, e))
        return t->target.unable ? EXIT_UNFINISHED : EXIT_USAGE;
    worker_catch_interrupts();
    if (!prepare(t, e) || !mine(t, e) || !verify_program(t, e))
        return EXIT_UNFINISHED;
    e->text[0] = '\0'; /* of what is a limit */
    return t->harm                                    ? EXIT_FOUND
           : t->result.unfinished || t->mined.why_not ? EXIT_UNFINISHED
                                                      : EXIT_NOTHING_FOUND;
}

int cmd_verify(struct options *o, struct err *e)
{
    struct verification t = {.options = o, .arena = ARENA_INIT};
    int code = verify_all(&t, e);

    store_close(t.verify.store);
    target_close(&t.target);
    arena_free(&t.arena);
    return code;
}
