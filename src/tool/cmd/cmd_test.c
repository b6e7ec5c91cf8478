/* SPDX-License-Identifier: MIT
 *
 * fencer test: watch the program on SC, predict the cycles that a relaxed
 * machine could close, create each, and say which hurt.  The work is
 * src/test/expose's; here is what the user sees of it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/options.h"
#include "cmd/progress.h"
#include "cmd/run_keep.h"
#include "cmd/run_limits.h"
#include "cmd/run_target.h"
#include "cmd/run_tell.h"
#include "expose/expose.h"
#include "report/report.h"

struct test {
    const struct options *options;
    struct target target;
    struct arena arena;
    struct lines limits;
    struct expose_options expose;
    struct expose_result result;
    struct report_model models[OPTIONS_MODELS_MAX];
    struct report_counts counts[OPTIONS_MODELS_MAX];
    const struct shown **findings;
    size_t finding_count;
    bool harm;       /* a finding that sets the exit code */
    bool unfinished; /* something asked for was not done */
};

/* ---- What is asked of src/test/expose ---- */

static void tell_progress(void *arg, const struct expose_progress *p)
{
    (void)arg;
    if (!progress_begin(p->phase))
        return;
    if (p->total) {
        progress_put(": %" PRIu64 " of %" PRIu64 " cycles, %" PRIu64
                     " harmful, %" PRIu64 " benign",
                     p->done, p->total, p->harmful, p->benign);
        progress_put_left((double)p->done / (double)p->total);
    }
    progress_flush();
}

/* What it depends on beyond the program and the shared options. */
static const char *key_of(struct test *t)
{
    const struct expose_options *x = &t->expose;

    return keep_key(t->options, &t->target, x->base.flags, &t->arena,
                    "%u %d %" PRIu64 " %" PRIu64 " %u %u %" PRIu64, x->strategy,
                    x->all_pairs, x->recorded, x->budget, x->max_length,
                    x->max_instances, x->enumerate);
}

static bool prepare(struct test *t, struct err *e)
{
    const struct options *o = t->options;
    struct expose_options *x = &t->expose;

    x->base = target_job(o, &t->target);
    x->tables = &t->target.tables;
    x->models = o->models;
    x->model_count = o->model_count;
    x->strategy = (uint32_t)o->expose;
    x->all_pairs = o->all_pairs;
    x->recorded = o->runs;
    x->budget = o->budget;
    x->enumerate = o->expose == STRATEGY_DIRECTED ? o->enumerate : 0;
    x->max_length = (unsigned)o->max_length;
    x->max_instances = (unsigned)o->max_instances;
    x->jobs = (unsigned)o->jobs;
    if (o->time_ms)
        x->until_ms = worker_now_ms() + o->time_ms;
    progress_init(o->quiet);
    x->progress = tell_progress;
    return folder_make(o->out, e) &&
           expose_store_open(arena_printf(&t->arena, "%s/test.db", o->out),
                             key_of(t), &x->store, e);
}

/* ---- Findings ---- */

/* Keeps one and puts it into the report. */
static bool take(struct test *t, struct shown *s, enum finding_class class,
                 const struct cause *c, struct err *e)
{
    s->class = class;
    if (c) {
        s->cycles = (uint32_t)c->cycles;
        s->fence_count = c->fence_count;
        memcpy(s->fences, c->fences, sizeof(s->fences));
        s->cured = c->cured;
    }
    if (!keep_shown(t->options, &t->target, s, &t->arena, e))
        return false;
    t->findings[t->finding_count++] = s;
    t->harm = t->harm || class != CLASS_BENIGN || t->options->strict;
    return true;
}

/* Harmful ones, then what fails on SC already, then the benign. */
static bool take_all(struct test *t, struct err *e)
{
    struct expose_result *r = &t->result;
    size_t i = 0;

    t->findings = arena_array(&t->arena, r->cause_count + r->sc_count + 1,
                              sizeof(*t->findings));
    for (; i < r->cause_count && r->causes[i].harmful; i++) {
        if (!take(t, r->causes[i].shown, CLASS_HARMFUL, &r->causes[i], e))
            return false;
    }
    for (size_t k = 0; k < r->sc_count; k++) {
        if (!take(t, r->sc[k], CLASS_SC, NULL, e))
            return false;
    }
    for (; i < r->cause_count; i++) {
        if (!take(t, r->causes[i].shown, CLASS_BENIGN, &r->causes[i], e))
            return false;
    }
    return true;
}

/* ---- The report ---- */

static enum answer answer(bool yes, bool complete)
{
    return yes ? ANSWER_YES : complete ? ANSWER_NO : ANSWER_UNKNOWN;
}

static void fill_model(struct test *t, size_t i)
{
    const struct expose_model *m = &t->result.models[i];
    struct report_model *out = &t->models[i];

    *out = (struct report_model){
        .model = m->model,
        .executions = m->counts.executions,
        .seconds = m->counts.seconds,
        .complete = m->complete && !t->result.stop.why,
        .property_broken = answer(m->failed || t->result.sc_count, m->complete),
    };
    if (m->model == &model_sc) {
        out->executions = t->result.sc_executions;
        out->sc_violation = ANSWER_NO;
        return;
    }
    /* Never "no": cycles through locks or thread creation are not sought. */
    out->sc_violation = answer(m->confirmed, false);
    t->counts[i] =
        (struct report_counts){m->predicted, m->confirmed,  m->harmful,
                               m->benign,    m->infeasible, m->undecided};
    out->counts = &t->counts[i];
}

static void limits_of_model(struct test *t, const struct expose_model *m)
{
    if (m->model == &model_sc || m->complete)
        return;
    if (m->undecided && !t->result.unsteady)
        lines_add(&t->limits,
                  "%zu cycle%s on %s undecided: not created in up to %" PRIu64
                  " executions each (--budget)",
                  m->undecided, m->undecided == 1 ? " is" : "s are",
                  m->model->words, t->options->budget);
    if (m->counts.cut)
        lines_add(&t->limits,
                  "%" PRIu64 " executions on %s were cut: too many events "
                  "(--max-events)",
                  m->counts.cut, m->model->words);
}

static void limits_of_all(struct test *t)
{
    const struct expose_result *r = &t->result;

    if (r->stop.why) {
        lines_add(&t->limits, "the rest: %s; the same command goes on",
                  r->stop.why);
        t->unfinished = true;
    }
    if (r->unsteady)
        lines_add(&t->limits,
                  "what the program does depends on more than its schedule, "
                  "because of %s: what does not come again is not reported",
                  r->source ? r->source : "something no schedule decides");
    else if (r->not_again)
        lines_add(&t->limits, "an execution is not reported: %s", r->not_again);
    t->unfinished = t->unfinished || r->unsteady || r->not_again;
    if (r->trouble)
        lines_add(&t->limits, "executions that could not be run: %s",
                  r->trouble);
    if (!r->sc_complete)
        lines_add(&t->limits,
                  "cycles are predicted from %" PRIu64
                  " SC executions, not from all there are",
                  r->sc_executions);
    if (r->cut.instances) {
        const struct fencer_site *s = &t->target.tables.sites[r->cut.site];

        lines_add(&t->limits,
                  "%" PRIu64 " accesses were not looked at, beyond the first "
                  "%" PRIu64 " of each thread, as at %s:%u "
                  "(--max-instances)",
                  r->cut.instances, t->options->max_instances, s->file,
                  s->line);
    }
    if (r->cut.cycles)
        lines_add(&t->limits, "there are more cycles than were searched");
    for (size_t i = 0; i < t->options->model_count; i++)
        limits_of_model(t, &r->models[i]);
    lines_add(&t->limits,
              "cycles of more than %" PRIu64
              " accesses, or through locks, semaphores or thread creation",
              t->options->max_length);
    limits_of_speed(&t->limits, t->options, r->by_process);
    limits_of_program(&t->limits, &t->target.tables, r->extern_hits);
}

static bool tell(struct test *t, struct err *e)
{
    struct report report = {
        .command = "test",
        .program = t->target.program,
        .strategy = strategy_words((unsigned)t->options->expose),
        .seed = t->options->seed,
        .models = t->models,
        .model_count = t->options->model_count,
        .findings = t->findings,
        .finding_count = t->finding_count,
    };

    for (size_t i = 0; i < t->options->model_count; i++)
        fill_model(t, i);
    limits_of_all(t);
    report.limits = t->limits.list;
    report.limit_count = t->limits.count;
    return tell_report(&report, t->options, e);
}

/* ---- The command ---- */

static bool test_program(struct test *t, struct err *e)
{
    bool ok = expose_run(&t->expose, &t->arena, &t->result, e);

    progress_end();
    worker_go_on();
    if (!ok)
        return false;
    if (t->result.stop.refused)
        return err_set(e, "%s: %s", t->target.program, t->result.stop.refused);
    if (t->result.sc_executions == 0 && !t->result.stop.why)
        return err_set(e, "%s: no execution came to its end",
                       t->target.program);
    if (!take_all(t, e) || !tell(t, e))
        return false;
    return t->result.stop.why || store_finish(t->expose.store, e);
}

static int test_all(struct test *t, struct err *e)
{
    t->limits.arena = &t->arena;
    if (!keep_can_write(t->options->json, &t->arena, e) ||
        !target_open(t->options, &t->arena, &t->target, e))
        return t->target.unable ? EXIT_UNFINISHED : EXIT_USAGE;
    worker_catch_interrupts();
    if (!prepare(t, e) || !test_program(t, e))
        return EXIT_UNFINISHED;
    e->text[0] = '\0'; /* of what is a limit */
    return t->harm         ? EXIT_FOUND
           : t->unfinished ? EXIT_UNFINISHED
                           : EXIT_NOTHING_FOUND;
}

int cmd_test(struct options *o, struct err *e)
{
    struct test t = {.options = o, .arena = ARENA_INIT};
    int code = test_all(&t, e);

    store_close(t.expose.store);
    expose_free(&t.result);
    target_close(&t.target);
    arena_free(&t.arena);
    return code;
}
