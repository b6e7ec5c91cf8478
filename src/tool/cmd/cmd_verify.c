/* SPDX-License-Identifier: MIT
 *
 * fencer verify: every execution up to the bound asked for.  The work is
 * src/verify's; here is what the user asks and sees of it.
 */
#include <inttypes.h>
#include <string.h>

#include "base/words.h"
#include "cmd/command.h"
#include "cmd/keep.h"
#include "cmd/limits.h"
#include "finding/mine.h"
#include "session/progress.h"
#include "verify/verify.h"

struct verification {
    struct call call;
    struct verify_options verify;
    struct verify_result result;
    struct mined mined; /* what a test may observe */
    struct report_monitor monitors[MONITOR_COUNT];
};

/* ---- Monitors ---- */

static bool unknown_monitor(const char *name, struct err *e)
{
    const char *names[MONITOR_COUNT];

    for (unsigned i = 0; i < MONITOR_COUNT; i++)
        names[i] = monitor_name((enum monitor_kind)i);
    return words_unknown(e, "monitor", name, names, MONITOR_COUNT,
                         "tso, pso, pslo, sober, tso-clocks, burnim-tso or "
                         "burnim-pso");
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
    const struct options *o = t->call.options;
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
    t->verify.own_monitors = true;
    return true;
}

static bool take_list(struct verification *t, struct err *e)
{
    const char *list = t->call.options->monitors;
    char name[42];

    while (words_take(&list, name, sizeof(name))) {
        if (!take_monitor(t, name, e))
            return false;
    }
    return true;
}

static bool is_watched(const struct verification *t, const struct model *m)
{
    for (unsigned k = 0; k < MONITOR_COUNT; k++) {
        if (t->verify.monitors >> k & 1 &&
            monitor_model((enum monitor_kind)k) == m)
            return true;
    }
    return false;
}

/* SC, and the models of the monitors. */
static void take_models_of_monitors(struct verification *t)
{
    struct options *o = t->call.options;

    o->model_count = 0;
    for (size_t i = 0; model_all[i]; i++) {
        if (model_all[i] == &model_sc || is_watched(t, model_all[i]))
            o->models[o->model_count++] = model_all[i];
    }
}

/* Without a list: the view monitor of each model. */
static bool choose_monitors(struct verification *t, struct err *e)
{
    struct options *o = t->call.options;

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

static bool prepare(struct verification *t, struct err *e)
{
    const struct options *o = t->call.options;
    struct verify_options *v = &t->verify;

    v->base = target_job(o, &t->call.target);
    v->tables = &t->call.target.tables;
    v->models = o->models;
    v->model_count = o->model_count;
    v->plain = o->no_dpor;
    v->symmetric = !o->no_symmetry;
    v->bounded = options_given(o, "bound");
    v->bound = (uint32_t)o->bound;
    v->unroll_asked = options_given(o, "unroll");
    v->unroll = (uint32_t)o->unroll;
    v->races = o->races;
    v->arm = (unsigned)o->arm;
    v->rcpc = o->rcpc;
    v->count_distinct = o->count_traces;
    v->count_reports = o->monitors != NULL;
    v->jobs = (unsigned)o->jobs;
    v->until_ms = t->call.until_ms;
    if (!command_open_store(&t->call, "verify.db", verify_store_layout(), e,
                            "%x %d %d %d %u %u %d %d %d %u %d", v->monitors,
                            v->count_reports, v->plain, v->bounded, v->bound,
                            v->unroll, v->races, v->count_distinct,
                            v->symmetric, v->arm, v->rcpc))
        return false;
    v->store = t->call.store;
    return true;
}

/* A test's threads may observe what its serial executions do. */
static bool mine(struct verification *t, struct err *e)
{
    struct job *base = &t->verify.base;
    struct mined *m = &t->mined;

    if (!(t->call.target.tables.flags & PROGRAM_TEST))
        return true;
    progress_tell("running serial executions");
    if (!mine_serial(base, t->verify.until_ms, &t->call.arena, m, e))
        return false;
    if (m->why_not) {
        lines_add(&t->call.limits,
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
    struct verify_result *r = &t->result;

    if (!t->call.options->all)
        r->shown_count = shown_merge(r->shown, r->shown_count);
    for (size_t i = 0; i < r->shown_count; i++) {
        if (!keep_shown(t->call.options, &t->call.target, r->shown[i],
                        &t->call.arena, e))
            return false;
    }
    return true;
}

static void fill_model(struct verification *t, const struct verify_model *m)
{
    struct report_model *to = command_add_model(&t->call, m->model);

    /* What an assumption ended is none. */
    to->executions = m->counts.executions - m->counts.assumed;
    to->cut = m->counts.cut;
    to->assumed = m->counts.assumed;
    to->blocked = m->counts.blocked + m->counts.assumed;
    to->symmetric = m->counts.symmetric;
    to->seconds = m->counts.seconds;
    to->done = m->done;
    /* Nobody knows what a test may observe: that none fails is not all. */
    if (t->mined.why_not)
        to->done.cut = to->done.unfinished = true;
    to->because = m->because;
    to->every_machine = m->model->by_language && !m->counts.unprotected &&
                        answers_of(&to->done).property_broken == ANSWER_NO;
    to->outcomes = m->outcomes;
    to->counted = t->call.options->count_traces;
    to->traces = m->counts.distinct;
    to->explored = true;
    to->redundant = m->counts.redundant;
    to->events = m->counts.events;
}

static void take_limits(struct verification *t)
{
    const struct verify_result *r = &t->result;
    struct counts all = r->sc;

    for (size_t i = 0; i < t->call.options->model_count; i++)
        counts_add(&all, &r->models[i].counts);
    for (size_t i = 0; i < r->limits.count; i++)
        lines_add(&t->call.limits, "%s", r->limits.list[i]);
    limits_of_speed(&t->call.limits, t->call.options, &all);
    limits_of_program(&t->call.limits, t->call.options, &t->call.target.tables,
                      &all);
    command_note_checks(&t->call, &all);
    command_add_awaits(&t->call, &all);
}

/* Those that were asked to count what they report. */
static void fill_monitors(struct verification *t)
{
    struct report *to = &t->call.report;

    to->monitors = t->monitors;
    for (unsigned i = 0; t->verify.count_reports && i < MONITOR_COUNT; i++) {
        if (t->verify.monitors >> i & 1)
            t->monitors[to->monitor_count++] = (struct report_monitor){
                .name = monitor_name(i),
                .model = monitor_model(i),
                .borderline = t->result.sc.borderline[i],
                .first_seconds = t->result.sc.first_report[i],
            };
    }
}

static bool fill_report(struct call *call, struct err *e)
{
    struct verification *t = (struct verification *)call;
    struct report *to = &call->report;

    if (!keep_findings(t, e))
        return false;
    for (size_t i = 0; i < call->options->model_count; i++)
        fill_model(t, &t->result.models[i]);
    fill_monitors(t);
    take_limits(t);
    to->findings = (const struct shown *const *)t->result.shown;
    to->finding_count = t->result.shown_count;
    to->notes = t->result.notes.list;
    to->note_count = t->result.notes.count;
    to->unfinished = t->result.unfinished;
    return true;
}

/* ---- The command ---- */

static int open_verify(struct call *call, struct err *e)
{
    int code;

    command_choose_models(call->options);
    if (!choose_monitors((struct verification *)call, e))
        return EXIT_USAGE;
    code = command_open_target(call, e);
    return code || command_has_dependencies(call, e) ? code : EXIT_USAGE;
}

static bool verify_program(struct call *call, struct err *e)
{
    struct verification *t = (struct verification *)call;

    call->stop = &t->result.stop;
    return prepare(t, e) && mine(t, e) &&
           verify_run(&t->verify, &call->arena, &t->result, e);
}

int cmd_verify(struct options *o, struct err *e)
{
    static const struct call_steps steps = {
        .open = open_verify, .work = verify_program, .fill = fill_report};
    struct verification t = {.call.report.command = "verify"};

    return command_work(&t.call, o, &steps, e);
}
