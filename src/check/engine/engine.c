/* SPDX-License-Identifier: MIT
 *
 * All tests on all models: what is expected of each test is found once, by
 * serial executions, then each model is asked for an execution that differs.
 * What fails on a machine fails on every weaker machine.
 */
#include "engine/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/log.h"
#include "base/point.h"
#include "base/seconds.h"
#include "engine/engine_inside.h"
#include "session/progress.h"

/* Pages of ours that are in memory, by the kernel's count; 0: not known. */
static uint64_t resident_bytes(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    unsigned long long all = 0, resident = 0;

    if (!f)
        return 0;
    if (fscanf(f, "%llu %llu", &all, &resident) != 2)
        resident = 0;
    fclose(f);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Looked at now and then: it takes longer than all the rest. */
static bool out_of_memory(struct session *s)
{
    if (!s->memory_out && s->looks++ % 64 == 0 &&
        resident_bytes() > MEMORY_MAX) {
        s->memory_out = true;
        lines_add(&s->result->limits, "stopped: more than %d MiB of memory",
                  (int)(MEMORY_MAX >> 20));
    }
    return s->memory_out;
}

bool session_ended(struct session *s)
{
    return stop_now(&s->stop) || out_of_memory(s);
}

static void put_count(uint64_t n, const char *what)
{
    if (n)
        progress_put(", %" PRIu64 " %s", n, what);
}

static void tell_progress(const struct session *s)
{
    if (!progress_begin(s->stage))
        return;
    put_count(s->observations, "observations");
    put_count(s->accesses, "accesses");
    if (s->rounds)
        progress_put(", round %" PRIu64, s->rounds);
    put_count(s->solves, "solves");
    progress_flush();
}

bool session_stop(void *context)
{
    struct session *s = context;

    tell_progress(s);
    return session_ended(s);
}

void session_stage(struct session *s, const struct test *t,
                   const struct model *m, const char *stage)
{
    snprintf(s->stage, sizeof s->stage, "%s%s%s: %s", t ? t->name : "main",
             m ? ", " : "", m ? m->words : "", stage);
    point_reached("check.stage");
    (void)session_stop(s);
}

/* ---- What is expected ---- */

static bool stop_mining(void *context, size_t observations)
{
    struct session *s = context;

    s->observations = observations;
    return session_stop(s);
}

static enum serial_end mine(struct session *s, const struct test *test,
                            struct expected *out, struct observation_set *set,
                            struct err *e)
{
    const struct check_options *o = s->options;
    struct serial_options options = {OBSERVATIONS_MAX, stop_mining, s};
    struct serial_failure failure;
    struct test same = *test;
    bool kept = false;
    enum serial_end end;

    if (o->reference &&
        !spec_translate(o->program, test, o->reference, s->arena, &same, e))
        return SERIAL_REFUSED;
    end = spec_mine(o->store, o->reference ? o->reference : o->program, &same,
                    &options, s->arena, set, &kept, &failure, e);
    if (end == SERIAL_DONE && o->reference &&
        !spec_same_labels(o->program, test, set, e))
        return SERIAL_REFUSED;
    out->kind = kept           ? TEST_SPEC_KEPT
                : o->reference ? TEST_SPEC_REFERENCE
                               : TEST_SPEC_MINED;
    return end;
}

static bool expect_formula(struct session *s, const struct test *test,
                           struct expected *out, struct err *e)
{
    struct commits *commits = arena_alloc(s->arena, sizeof *commits);
    double began = seconds_worked();

    session_stage(s, test, NULL, "commits");
    *out = (struct expected){.kind = TEST_SPEC_FORMULA, .commits = commits};
    if (!large_find_commits(s, test, commits))
        return err_set(e,
                       "%s has too many observations to list them, and no "
                       "commits that explain its executions were found",
                       test->name);
    out->seconds = seconds_worked() - began;
    return true;
}

/* False: nothing can be expected, e says why. */
static bool expect(struct session *s, const struct test *test,
                   struct expected *out, struct err *e)
{
    struct observation_set *set = arena_alloc(s->arena, sizeof *set);
    double began = seconds_worked();
    enum serial_end end;

    *out = (struct expected){.kind = TEST_SPEC_NONE};
    if (!test)
        return true;
    if (s->options->in_formula)
        return expect_formula(s, test, out, e);
    session_stage(s, test, NULL, "mining");
    end = mine(s, test, out, set, e);
    out->seconds = seconds_worked() - began;
    switch (end) {
    case SERIAL_DONE:
        out->set = set;
        s->observations = set->count;
        return true;
    case SERIAL_FAILED: /* then so does every model: look for errors only */
        out->kind = TEST_SPEC_NONE;
        out->fails_serially = true;
        return !s->options->reference || err_in(e, "the reference fails");
    case SERIAL_TOO_MANY:
        return expect_formula(s, test, out, e);
    case SERIAL_STOPPED:
        return err_set(e, "%s: stopped while mining, %llu observations so far",
                       test->name, (unsigned long long)s->observations);
    default:
        return false;
    }
}

/* ---- What is shown ---- */

/* So many violations are tried until the runtime can follow one. */
#define REPLAYS_MAX 8

/* The site of the trace that is that place in the source; 0: none. */
static uint32_t find_site(const struct trace *t, const struct fencer_site *site)
{
    for (uint32_t i = 1; i < t->site_count; i++) {
        if (t->sites[i].line == site->line &&
            t->sites[i].column == site->column &&
            strcmp(t->sites[i].file, site->file) == 0)
            return i;
    }
    return 0;
}

/* Instead of the fences that its cycle suggests, those that were proved to be
 * enough. */
static void cure(const struct trial *t, struct shown *shown)
{
    struct encode_fence fences[CHANNEL_FENCES_MAX];
    size_t n;

    if (!t->model->delays_stores || t->model->by_language)
        return;
    session_stage(t->s, t->test, t->model, "cure");
    n = check_cure(t, fences, CHANNEL_FENCES_MAX);
    for (size_t i = 0; i < n; i++) {
        const struct fencer_site *site =
            &t->s->options->program->sites[fences[i].site];
        uint32_t found = find_site(&shown->trace, site);

        if (!found)
            return;
        shown->fences[i] = (struct channel_fence){found, fences[i].kind};
    }
    if (!n)
        return;
    shown->fence_count = n;
    shown->cured = shown->proved = true;
}

/* The runtime has no undefined values: what it reads there is some number, and
 * may lead elsewhere.  But where a serial execution fails so, too, two engines
 * that share nothing have found it. */
static bool is_known_twice(const struct trial *t)
{
    return t->violation.found->failure == FAIL_UNDEFINED &&
           t->expected->fails_serially;
}

/* Shows the violation as the runtime does it.  False: it could not follow; *why
 * says why. */
static bool replay(const struct trial *t, struct shown *shown, const char **why)
{
    struct session *s = t->s;
    const struct check_options *o = s->options;
    const struct encode_found *found = t->violation.found;
    struct flat_error error = {.failure = found->failure,
                               .site = found->site,
                               .thread = found->thread,
                               .text = found->text};
    struct check_execution x = {
        .flat = t->violation.flat,
        .run = &found->run,
        .model = t->model,
        .error = error.text ? &error : NULL,
        .race = found->race[0] == LSL_NONE ? NULL : found->race,
        .base = o->base,
        .tables = o->tables,
        .until_ms = o->until_ms};
    char **arguments = arena_array(s->arena, 2, sizeof *arguments);
    enum check_replayed how = CHECK_NOT_REPLAYED;
    struct err e;

    if (t->test)
        arguments[0] = arena_copy(s->arena, t->test->notation);
    x.base.arguments = arguments;
    /* The machine goes by places in the source, and would forbid more. */
    x.base.flags &= ~(uint32_t)CHANNEL_DEPS;
    *why = NULL;
    if (!model_has_machine(t->model)) {
        check_show(&x, s->arena, shown);
        return true;
    }
    if (!check_replay(&x, s->arena, &how, shown, why, &e))
        *why = arena_copy(s->arena, e.text);
    else if (how != CHECK_NOT_REPLAYED)
        *why = NULL;
    if (*why && is_known_twice(t)) {
        check_show(&x, s->arena, shown);
        *why = NULL;
    }
    return !*why;
}

/* The first violation that the runtime can follow. */
static void show(struct trial *t)
{
    struct session *s = t->s;
    struct check_result *r = s->result;
    struct shown *shown = arena_alloc(s->arena, sizeof *shown);
    const char *why;

    session_stage(s, t->test, t->model, "replay");
    for (int i = 0; !replay(t, shown, &why); i++) {
        if (i < REPLAYS_MAX && trial_other(t))
            continue;
        lines_add(&r->limits,
                  "%s on %s: fails, but the runtime could not follow: %s",
                  t->test ? t->test->name : "main", t->model->words, why);
        t->out.done.failed = false;
        return;
    }
    cure(t, shown);
    r->shown[r->shown_count] = shown;
    r->shown_test[r->shown_count++] = t->test;
}

/* ---- All of them ---- */

/* What stands for the model in this run: for a processor, each way that C is
 * compiled for it. */
static size_t list_mappings(const struct check_options *o,
                            const struct model *m,
                            const struct model *list[MODEL_ASKED_MAX])
{
    return model_mappings(o->deps && m->with_deps ? m->with_deps : m, o->arm,
                          o->rcpc, list);
}

static void add_effort(struct effort *to, const struct effort *more)
{
    to->rounds += more->rounds;
    to->solves += more->solves;
    to->cycle_clauses += more->cycle_clauses;
    to->mining_seconds += more->mining_seconds;
    to->bounds_seconds += more->bounds_seconds;
    to->encode_seconds += more->encode_seconds;
    to->solve_seconds += more->solve_seconds;
    to->seconds += more->seconds;
}

/* Safe on a processor is safe in each mapping. */
static struct tested check_model(struct session *s, const struct test *test,
                                 const struct expected *expected,
                                 const struct model *m, bool broken)
{
    const struct model *list[MODEL_ASKED_MAX];
    size_t count = list_mappings(s->options, m, list);
    struct tested all;

    for (size_t i = 0; i < count; i++) {
        struct trial t;

        trial_begin(&t, s, test, list[i], expected, NULL, 0);
        t.out.model = m;
        if (broken)
            t.out.done.failed = true;
        else
            trial_run(&t);
        if (t.violation.found)
            show(&t);
        if (i)
            add_effort(&t.out.effort, &all.effort);
        all = t.out;
        trial_end(&t);
        if (all.done.failed || all.done.unfinished)
            break;
    }
    return all;
}

/* On what does an execution of that machine tell something? */
static bool is_weaker(const struct model *m, const struct model *machine)
{
    return machine == &model_sc ? !m->loads_move_down
                                : model_has_machine(m) || m->by_language;
}

static void check_models(struct session *s, const struct test *test,
                         const struct expected *expected, struct tested *out)
{
    const struct check_options *o = s->options;
    const struct model *broken = NULL; /* the strongest machine that is */

    for (size_t i = 0; i < o->model_count && !session_ended(s); i++) {
        const struct model *m = o->models[i];

        out[i] =
            check_model(s, test, expected, m, broken && is_weaker(m, broken));
        if (out[i].done.failed && !broken && model_has_machine(m))
            broken = m;
        point_reached("check.model");
    }
}

/* Nothing is known of a test that nothing can be expected of; the others go
 * on. */
static void check_test(struct session *s, const struct test *test,
                       struct expected *expected, struct tested *out)
{
    struct err e;

    if (expect(s, test, expected, &e)) {
        check_models(s, test, expected, out);
        return;
    }
    expected->unknown = true;
    lines_add(&s->result->limits, "%s", e.text);
}

struct tested session_untested(const struct test *t, const struct model *m)
{
    return (struct tested){.test = t ? t->name : "main",
                           .notation = t ? t->notation : NULL,
                           .model = m};
}

void check_run(const struct check_options *o, struct arena *a,
               struct check_result *out)
{
    struct session s = {.options = o,
                        .arena = a,
                        .result = out,
                        .stop = {.until_ms = o->until_ms}};
    size_t tests = o->test_count ? o->test_count : 1;
    size_t most = tests * o->model_count;
    struct expected *expected = arena_array(a, tests, sizeof *expected);

    *out = (struct check_result){
        .tests = arena_array(a, most + 1, sizeof *out->tests),
        .test_count = most,
        .shown = arena_array(a, most + 1, sizeof *out->shown),
        .shown_test = arena_array(a, most + 1, sizeof *out->shown_test),
        .limits = {.arena = a}};
    for (size_t i = 0; i < most; i++)
        out->tests[i] = session_untested(
            o->test_count ? &o->tests[i / o->model_count] : NULL,
            o->models[i % o->model_count]);
    for (size_t i = 0; i < tests && !session_ended(&s); i++)
        check_test(&s, o->test_count ? &o->tests[i] : NULL, &expected[i],
                   &out->tests[i * o->model_count]);
    if (o->fences && o->test_count && !session_ended(&s))
        check_fences(&s, expected);
    out->stopped = session_ended(&s);
}
