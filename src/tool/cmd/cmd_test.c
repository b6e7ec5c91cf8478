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

#include "base/vec.h"
#include "cmd/command.h"
#include "cmd/draw_graphs.h"
#include "cmd/keep.h"
#include "cmd/limits.h"
#include "cmd/mend.h"
#include "cmd/sample_graphs.h"
#include "expose/expose.h"
#include "session/progress.h"
#include "verify/verify.h"

#define MENDING_MS 10000
/* On each model without a machine: at first, and where nothing failed and not
 * all executions are known; for so long, and of the time at most. */
#define DRAW_FIRST 2000
#define DRAW_RUNS 20000
#define DRAW_MS 1000
#define DRAW_PART 20

/* One without a machine: some executions are drawn at first. */
struct drawn_model {
    const struct model *model;
    struct sample sample;
    bool failed;
};

struct test {
    struct call call;
    const struct model *models[OPTIONS_MODELS_MAX]; /* SC among them */
    size_t model_count;
    struct drawn_model drawn[OPTIONS_MODELS_MAX];
    size_t drawn_count;
    struct drawn_model *now;
    VEC(struct shown *) of_graphs; /* what was found on these */
    struct expose_options expose;
    struct expose_result result;
    struct shown **findings;
    size_t finding_count;
    VEC(struct channel_failure) told; /* at once */
    size_t of_graphs_told;            /* or need not be */
    int found_count;                  /* findings told at once */
};

/* ---- What is told at once ---- */

/* A line on stderr, where progress is told: the report says what is known when
 * all is done.  Until then DIR/found-N.json has it, for a run that is killed.
 */
static void tell_found(void *context, struct shown *s)
{
    struct test *t = context;
    const struct options *o = t->call.options;
    struct buf line = {0};
    struct err ignored;

    if (s->class != CLASS_RACE)
        VEC_PUSH(&t->told, s->finding.failure);
    if (!keep_found(o, &t->call.target, s, ++t->found_count, &t->call.arena,
                    &ignored))
        return;
    report_headline(s, &line);
    progress_end();
    if (!o->quiet)
        fprintf(stderr, "fencer: found: %s\n", line.bytes);
    buf_free(&line);
}

static bool was_told(const struct test *t, const struct shown *s)
{
    for (size_t i = 0; s->class != CLASS_RACE && i < t->told.count; i++)
        if (finding_same_sort(&t->told.list[i], &s->finding.failure))
            return true;
    return false;
}

/* What was found on models without a machine is told when machines had their
 * chance: whoever can fail on x86 need not be told of ARM. */
static void tell_of_graphs(void *context)
{
    struct test *t = context;

    for (; t->of_graphs_told < t->of_graphs.count; t->of_graphs_told++)
        if (!was_told(t, t->of_graphs.list[t->of_graphs_told]))
            tell_found(t, t->of_graphs.list[t->of_graphs_told]);
}

/* ---- What is asked of src/test/expose ---- */

static bool prepare(struct test *t, struct err *e)
{
    const struct options *o = t->call.options;
    struct expose_options *x = &t->expose;

    x->base = target_job(o, &t->call.target);
    x->tables = &t->call.target.tables;
    x->models = t->models;
    x->model_count = t->model_count;
    x->arm = (unsigned)o->arm;
    x->rcpc = o->rcpc;
    x->allows = verify_allows;
    x->strategy = (uint32_t)o->expose;
    x->all_pairs = o->all_pairs;
    x->recorded = o->runs;
    x->budget = o->budget;
    x->enumerate = o->expose == STRATEGY_DIRECTED ? o->enumerate : 0;
    x->max_length = (unsigned)o->max_length;
    x->max_instances = (unsigned)o->max_instances;
    x->jobs = (unsigned)o->jobs;
    x->until_ms = t->call.until_ms;
    x->time_ms = o->time_ms;
    x->own_time = !options_given(o, "time");
    x->found = tell_found;
    x->looked = tell_of_graphs;
    x->context = t;
    if (!command_open_store(&t->call, "test.db", expose_store_layout(), e,
                            "%u %d %" PRIu64 " %" PRIu64 " %u %u %" PRIu64,
                            x->strategy, x->all_pairs, x->recorded, x->budget,
                            x->max_length, x->max_instances, x->enumerate))
        return false;
    x->store = t->call.store;
    return true;
}

/* ---- Models without a machine ---- */

/* What fails on them is drawn on SC as well, which is always looked at. */
static void split_models(struct test *t)
{
    const struct options *o = t->call.options;
    bool graphs = false;

    for (size_t i = 0; i < o->model_count; i++)
        graphs = graphs || !model_has_machine(o->models[i]);
    if (graphs && o->models[0] != &model_sc)
        t->models[t->model_count++] = &model_sc;
    for (size_t i = 0; i < o->model_count; i++) {
        t->models[t->model_count++] = o->models[i];
        if (!model_has_machine(o->models[i]))
            t->drawn[t->drawn_count++].model = o->models[i];
    }
}

static void take_drawn(void *context, struct shown *s)
{
    struct test *t = context;

    t->now->failed = true;
    for (size_t i = 0; i < t->of_graphs.count; i++) {
        const struct shown *other = t->of_graphs.list[i];

        if (s->class == CLASS_RACE
                ? shown_same_race(other, s)
                : finding_same_failure(&other->finding.failure,
                                       &s->finding.failure))
            return;
    }
    VEC_PUSH(&t->of_graphs, s);
}

static bool draw_on(struct test *t, struct drawn_model *d, uint64_t first,
                    uint64_t runs, struct err *e)
{
    uint64_t most = t->call.options->time_ms / DRAW_PART;
    const struct draw_graphs draw = {.call = &t->call,
                                     .model = d->model,
                                     .first = first,
                                     .runs = runs,
                                     .ms = most < DRAW_MS ? most : DRAW_MS,
                                     .found = take_drawn,
                                     .context = t};
    struct sample s;

    t->now = d;
    if (!draw_graphs(&draw, &s, e))
        return false;
    if (first)
        sample_add(&d->sample, &s, &t->call.arena);
    else
        d->sample = s;
    return true;
}

static void drop_drawn(struct test *t, size_t i)
{
    const struct drawn_model *d = &t->drawn[i];
    size_t k = 0;

    while (t->models[k] != d->model)
        k++;
    t->expose.model_count = --t->model_count;
    memmove(&t->models[k], &t->models[k + 1],
            (t->model_count - k) * sizeof(*t->models));
    t->drawn_count--;
    memmove(&t->drawn[i], &t->drawn[i + 1],
            (t->drawn_count - i) * sizeof(*t->drawn));
}

/* Models that came for those that were left out: they have machines. */
static void take_stand_ins(struct test *t)
{
    const struct options *o = t->call.options;

    for (size_t i = 0; i < o->model_count; i++) {
        size_t k = 0;

        while (k < t->model_count && t->models[k] != o->models[i])
            k++;
        if (k == t->model_count)
            t->models[t->model_count++] = o->models[i];
    }
    t->expose.model_count = t->model_count;
}

/* What has no executions there that can be drawn, for some construct that no
 * graph has, is looked at where they can, unless its user named that model. */
static void leave_out_refused(struct test *t)
{
    for (size_t i = t->drawn_count; i-- > 0;) {
        const struct drawn_model *d = &t->drawn[i];

        if (!d->sample.refused || d->sample.counts.complete ||
            options_named(t->call.options, d->model))
            continue;
        command_leave_out(&t->call, d->model, d->sample.refused);
        drop_drawn(t, i);
    }
    take_stand_ins(t);
}

static bool draw_first(struct test *t, struct err *e)
{
    progress_tell("the first executions on each model");
    for (size_t i = 0; i < t->drawn_count; i++)
        if (!draw_on(t, &t->drawn[i], 0, DRAW_FIRST, e))
            return false;
    leave_out_refused(t);
    return true;
}

static const struct done *done_on(const struct test *t, const struct model *m)
{
    size_t i = 0;

    while (t->result.models[i].model != m)
        i++;
    return &t->result.models[i].done;
}

/* Failures that nobody has seen so far. */
static bool draw_rest(struct test *t, struct err *e)
{
    for (size_t i = 0; i < t->drawn_count; i++) {
        struct drawn_model *d = &t->drawn[i];
        const struct done *known = done_on(t, d->model);

        if (d->failed || d->sample.end != SAMPLE_DONE || known->failed ||
            known->exhausted || stop_now(&t->result.stop))
            continue;
        if (!draw_on(t, d, DRAW_FIRST, DRAW_RUNS, e))
            return false;
    }
    return true;
}

/* Is it told as what a cycle does, on that model or on one before it? */
static bool is_explained(const struct test *t, const struct shown *s)
{
    for (size_t i = 0; s->class != CLASS_RACE && i < t->result.causes.count;
         i++) {
        const struct cause *c = &t->result.causes.list[i];

        if (c->harmful &&
            model_told_number(c->model) <=
                model_told_number(s->finding.model) &&
            finding_same_sort(&c->shown->finding.failure, &s->finding.failure))
            return true;
    }
    return false;
}

/* Is it SC's fault? */
static bool fails_on_sc(const struct test *t, const struct shown *s)
{
    for (size_t i = 0; s->class != CLASS_RACE && i < t->result.sc.count; i++) {
        if (finding_same_sort(&t->result.sc.list[i]->finding.failure,
                              &s->finding.failure))
            return true;
    }
    return false;
}

/* What was drawn counts, too. */
static void add_drawn(struct test *t, const struct drawn_model *d,
                      struct report_model *to)
{
    const struct counts *n = &d->sample.counts;

    to->executions += n->executions;
    to->seconds += n->seconds;
    to->done.started = to->done.started || n->executions > 0;
    to->done.ended = to->done.ended || n->complete > 0;
    to->done.failed = to->done.failed || d->failed;
    if (d->sample.why)
        lines_add(&t->call.limits, "executions on %s: %s", d->model->words,
                  d->sample.why);
}

/* ---- Findings ---- */

static void add(struct test *t, struct shown *s, enum finding_class class)
{
    s->class = class;
    t->findings[t->finding_count++] = s;
}

static int rank_of(const struct shown *s)
{
    return s->class == CLASS_SC ? 0 : s->class == CLASS_BENIGN ? 2 : 1;
}

/* Whether it is bad, then the models in the order in which they are told; else
 * as they were found. */
static bool comes_after(const struct shown *a, const struct shown *b)
{
    if (rank_of(a) != rank_of(b))
        return rank_of(a) > rank_of(b);
    return model_told_number(a->finding.model) >
           model_told_number(b->finding.model);
}

static void sort_findings(struct test *t)
{
    for (size_t i = 1; i < t->finding_count; i++) {
        struct shown *s = t->findings[i];
        size_t k = i;

        for (; k && comes_after(t->findings[k - 1], s); k--)
            t->findings[k] = t->findings[k - 1];
        t->findings[k] = s;
    }
}

/* What fails on SC already, then the harmful ones, then the benign. */
static void add_all(struct test *t)
{
    struct expose_result *r = &t->result;

    t->findings = arena_array(
        &t->call.arena, r->causes.count + r->sc.count + t->of_graphs.count + 1,
        sizeof(*t->findings));
    for (size_t i = 0; i < r->sc.count; i++)
        add(t, r->sc.list[i], CLASS_SC);
    for (size_t i = 0; i < t->of_graphs.count; i++)
        if (!fails_on_sc(t, t->of_graphs.list[i]) &&
            !is_explained(t, t->of_graphs.list[i]))
            t->findings[t->finding_count++] = t->of_graphs.list[i];
    for (size_t i = 0; i < r->causes.count; i++)
        add(t, r->causes.list[i].shown,
            r->causes.list[i].harmful ? CLASS_HARMFUL : CLASS_BENIGN);
    sort_findings(t);
}

static bool mend_all(void *context, struct err *e)
{
    struct test *t = context;

    if (!draw_rest(t, e))
        return false;
    tell_of_graphs(t);
    add_all(t);
    return stop_now(&t->result.stop) ||
           mend_findings(&t->call, t->findings, t->finding_count, MENDING_MS,
                         e);
}

/* What a search found, where nothing is proved. */
static void take_fences(struct shown *s, const struct cause *c)
{
    s->cycles = (uint32_t)c->cycles;
    if (s->proved)
        return;
    s->fence_count = c->fence_count;
    memcpy(s->fences, c->fences, sizeof(s->fences));
    s->cured = c->cured;
}

static bool take_all(struct test *t, struct err *e)
{
    const struct expose_result *r = &t->result;

    for (size_t i = 0; i < r->causes.count; i++)
        take_fences(r->causes.list[i].shown, &r->causes.list[i]);
    if (!t->call.options->all)
        t->finding_count = shown_merge(t->findings, t->finding_count);
    for (size_t i = 0; i < t->finding_count; i++) {
        if (!keep_shown(t->call.options, &t->call.target, t->findings[i],
                        &t->call.arena, e))
            return false;
    }
    drop_found(t->call.options, &t->call.arena);
    return true;
}

/* ---- The report ---- */

static const struct drawn_model *drawn_on(const struct test *t,
                                          const struct model *m)
{
    for (size_t i = 0; i < t->drawn_count; i++) {
        if (t->drawn[i].model == m)
            return &t->drawn[i];
    }
    return NULL;
}

/* As leave_out_refused, where that came out later: a busy machine had no time
 * for it at first. */
static bool was_refused(const struct test *t, const struct expose_model *m)
{
    const struct drawn_model *d = drawn_on(t, m->model);

    return d && m->refused && !m->counts.complete && !m->done.failed &&
           !d->sample.counts.complete && !d->failed &&
           !options_named(t->call.options, m->model);
}

static void fill_model(struct test *t, size_t i)
{
    const struct expose_model *m = &t->result.models[i];
    struct report_model *out = command_add_model(&t->call, m->model);

    out->executions = m->counts.executions;
    out->seconds = m->counts.seconds;
    out->done = m->done;
    if (m->model == &model_sc) {
        out->executions = t->result.sc_executions;
        return;
    }
    out->counts = &m->cycles;
    if (drawn_on(t, m->model))
        add_drawn(t, drawn_on(t, m->model), out);
}

/* Why nobody created them. */
static const char *why_undecided(struct test *t, const struct expose_model *m)
{
    if (m->done.unfinished)
        return m->done.started ? "the search did not come to its end"
                               : "none was sought";
    if (m->refused)
        return m->refused;
    return t->result.unsteady ? NULL
                              : arena_printf(&t->call.arena,
                                             "not created in up to %" PRIu64
                                             " executions each (--budget)",
                                             t->call.options->budget);
}

static void limit_cycles(struct test *t, const struct expose_model *m,
                         size_t count, const char *why)
{
    if (count && why)
        lines_add(&t->call.limits, "%zu cycle%s on %s undecided: %s", count,
                  count == 1 ? " is" : "s are", m->model->words, why);
}

static void limits_of_cycles(struct test *t, const struct expose_model *m)
{
    size_t beside = m->cycles.beside_harm;

    limit_cycles(t, m, m->cycles.undecided - beside, why_undecided(t, m));
    limit_cycles(t, m, beside,
                 "created, but only beside another reordering that does harm");
}

static void limits_of_model(struct test *t, const struct expose_model *m)
{
    if (was_refused(t, m)) {
        lines_add(&t->call.limits, "executions on %s: %s", m->model->words,
                  m->refused);
        return;
    }
    if (m->done.started && !m->done.ended && !m->done.failed)
        lines_add(&t->call.limits, "no execution on %s came to its end",
                  m->model->words);
    if (m->model == &model_sc || m->done.exhausted)
        return;
    limits_of_cycles(t, m);
    if (m->counts.cut)
        lines_add(&t->call.limits,
                  "%" PRIu64 " executions on %s were cut: too many events "
                  "(--max-events)",
                  m->counts.cut, m->model->words);
}

static void limits_of_all(struct test *t)
{
    const struct expose_result *r = &t->result;
    struct counts all = {0};

    if (r->stop.why) {
        lines_add(&t->call.limits, "the rest: %s; the same command goes on",
                  r->stop.why);
        t->call.report.unfinished = !r->stop.own_came;
    }
    if (r->unsteady)
        lines_add(&t->call.limits,
                  "what the program does depends on more than its schedule, "
                  "because of %s: what does not come again is not reported",
                  r->source ? r->source : "something no schedule decides");
    else if (r->not_again)
        lines_add(&t->call.limits, "an execution is not reported: %s",
                  r->not_again);
    if (r->unsteady || r->not_again)
        t->call.report.unfinished = true;
    if (r->trouble)
        lines_add(&t->call.limits, "executions that could not be run: %s",
                  r->trouble);
    if (!r->sc_complete)
        lines_add(&t->call.limits,
                  "cycles are predicted from %" PRIu64
                  " SC executions, not from all there are",
                  r->sc_executions);
    if (r->cut.instances) {
        const struct fencer_site *s = &t->call.target.tables.sites[r->cut.site];

        lines_add(&t->call.limits,
                  "%" PRIu64 " accesses were not looked at, beyond the first "
                  "%" PRIu64 " of each thread, as at %s:%u "
                  "(--max-instances)",
                  r->cut.instances, t->call.options->max_instances, s->file,
                  s->line);
    }
    if (r->cut.cycles)
        lines_add(&t->call.limits, "there are more cycles than were searched");
    for (size_t i = 0; i < t->model_count; i++) {
        limits_of_model(t, &r->models[i]);
        counts_add(&all, &r->models[i].counts);
    }
    lines_add(&t->call.limits,
              "cycles of more than %" PRIu64
              " accesses, or through locks, semaphores or thread creation",
              t->call.options->max_length);
    limits_of_speed(&t->call.limits, t->call.options, &all);
    limits_of_program(&t->call.limits, t->call.options, &t->call.target.tables,
                      &all);
    command_note_checks(&t->call, &all);
    command_add_awaits(&t->call, &all);
}

static bool fill_report(struct call *call, struct err *e)
{
    struct test *t = (struct test *)call;
    struct report *to = &call->report;

    if (!take_all(t, e))
        return false;
    for (size_t i = 0; i < t->model_count; i++)
        if (!was_refused(t, &t->result.models[i]))
            fill_model(t, i);
    limits_of_all(t);
    to->findings = (const struct shown *const *)t->findings;
    to->finding_count = t->finding_count;
    return true;
}

/* ---- The command ---- */

static bool test_program(struct call *call, struct err *e)
{
    struct test *t = (struct test *)call;

    t->expose.mend = mend_all;
    call->stop = &t->result.stop;
    return prepare(t, e) && draw_first(t, e) &&
           expose_run(&t->expose, &call->arena, &t->result, e);
}

static int open_test(struct call *call, struct err *e)
{
    int code;

    command_choose_models(call->options);
    code = command_open_target(call, e);
    if (!code && !command_has_dependencies(call, e))
        code = EXIT_USAGE;
    split_models((struct test *)call);
    return code;
}

static void close_test(struct call *call)
{
    struct test *t = (struct test *)call;

    VEC_FREE(&t->of_graphs);
    VEC_FREE(&t->told);
    expose_free(&t->result);
}

int cmd_test(struct options *o, struct err *e)
{
    static const struct call_steps steps = {open_test, test_program,
                                            fill_report, close_test};
    struct test t = {.call.report.command = "test"};

    return command_work(&t.call, o, &steps, e);
}
