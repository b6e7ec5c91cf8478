/* SPDX-License-Identifier: MIT
 *
 * The engine by its channel: traces of many executions in one region, fences
 * that are not in the program, every execution of a program.  The programs are
 * those of tests/litmus, compiled by the tool, run by a worker as commands do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "finding/every.h"
#include "model/model.h"
#include "trace/trace.h"
#include "worker/worker.h"

#define RUNS 200

static struct arena arena;
static struct err e;
static struct worker w;
static struct program program;
static char path[256];

/* Compiles a program of that folder, "sb"; its file is in `path` then. */
static void compile_from(const char *folder, const char *name)
{
    char command[1024];

    snprintf(path, sizeof(path), "./%s", name);
    snprintf(command, sizeof(command), "'%s' cc -o '%s' '%s/%s/%s.c'",
             getenv("FENCER"), path, getenv("SOURCE"), folder, name);
    if (system(command) != 0)
        fail_msg("%s", command);
    if (!program_read(path, &arena, &program, &e))
        fail_msg("%s", e.text);
}

static void compile(const char *litmus)
{
    compile_from("tests/litmus", litmus);
}

static struct job job_of(const char *model, uint32_t strategy, uint32_t flags,
                         uint64_t count)
{
    return (struct job){.program = path,
                        .name = path,
                        .model = model,
                        .strategy = strategy,
                        .flags = flags | CHANNEL_KEEP_GOING,
                        .seed = 1,
                        .count = count};
}

static void run(const struct job *j)
{
    struct worker *list[1] = {&w};

    if (!worker_start(&w, j, &e) || !worker_wait(list, 1, 0))
        fail_msg("%s: no worker", path);
    assert_int_equal(w.end, WORKER_DONE);
}

static const struct outcome *outcome(uint64_t n)
{
    return (struct outcome *)((char *)w.channel + CHANNEL_OUTCOMES_AT) + n;
}

static const struct channel_execution *execution(uint64_t n)
{
    return (struct channel_execution *)((char *)w.channel +
                                        CHANNEL_EXECUTIONS_AT) +
           n;
}

/* ---- Traces ---- */

/* All of them as one text, for comparison; checks each on the way. */
static void dump_all(struct buf *out)
{
    assert_int_equal(w.channel->execution_count, RUNS);
    for (uint64_t i = 0; i < RUNS; i++) {
        struct trace t;

        if (!trace_from_channel_nth(w.channel, i, &program, &arena, &t, &e))
            fail_msg("execution %d: %s", (int)i, e.text);
        assert_int_equal(t.run, i);
        assert_true(t.event_count > 8);
        assert_int_equal(t.threads[0].parent, 0);
        trace_dump(&t, out);
        buf_printf(out, "outcome %s, output %llx\n",
                   outcome(execution(i)->outcome - 1)->text,
                   (unsigned long long)execution(i)->output_hash);
    }
}

/* The same executions, one worker for each. */
static void dump_one_by_one(const char *model, struct buf *out)
{
    for (uint64_t i = 0; i < RUNS; i++) {
        struct job j = job_of(model, STRATEGY_POS, CHANNEL_TRACE, 1);
        struct trace t;

        j.first = i;
        run(&j);
        if (!trace_from_channel(w.channel, &program, &arena, &t, &e))
            fail_msg("execution %d: %s", (int)i, e.text);
        trace_dump(&t, out);
        buf_printf(out, "outcome %s, output %llx\n", outcome(0)->text,
                   (unsigned long long)execution(0)->output_hash);
        worker_free(&w);
    }
}

static void many_traces_are_those_of_single_executions(void **unused)
{
    static const char *const models[] = {"sc", "pslo"};
    struct buf many = {0}, single = {0};

    (void)unused;
    compile("mp");
    for (size_t m = 0; m < 2; m++) {
        struct job j = job_of(models[m], STRATEGY_POS, CHANNEL_TRACE, RUNS);

        run(&j);
        dump_all(&many);
        assert_int_equal(w.channel->full, 0);
        worker_free(&w);
        dump_one_by_one(models[m], &single);
        assert_string_equal(many.bytes, single.bytes);
        buf_free(&many);
        buf_free(&single);
    }
}

static void many_traces_come_from_many_processes_too(void **unused)
{
    struct job j = job_of("tso", STRATEGY_POS, CHANNEL_TRACE, RUNS);
    struct buf one = {0}, each = {0};

    (void)unused;
    compile("sb");
    run(&j);
    dump_all(&one);
    worker_free(&w);
    j.flags |= CHANNEL_BY_PROCESS;
    run(&j);
    dump_all(&each);
    worker_free(&w);
    assert_true(strstr(one.bytes, " C ") != NULL);
    assert_string_equal(one.bytes, each.bytes);
    buf_free(&one);
    buf_free(&each);
}

static void a_damaged_index_is_no_trace(void **unused)
{
    struct job j = job_of("sc", STRATEGY_POS, CHANNEL_TRACE, 3);
    struct channel_execution *x;
    struct trace t;

    (void)unused;
    compile("sb");
    run(&j);
    assert_false(
        trace_from_channel_nth(w.channel, 3, &program, &arena, &t, &e));
    w.channel->execution_count = UINT64_MAX;
    assert_false(trace_from_channel_nth(w.channel, CHANNEL_EXECUTIONS_MAX,
                                        &program, &arena, &t, &e));
    x = (struct channel_execution *)execution(1);
    x->first_event = UINT64_MAX - 1;
    assert_true(trace_from_channel_nth(w.channel, 1, &program, &arena, &t, &e));
    assert_int_equal(t.event_count, 0);
    x->first_event = 3; /* those of another one */
    x->object_count = 1;
    assert_false(
        trace_from_channel_nth(w.channel, 1, &program, &arena, &t, &e));
    worker_free(&w);
}

/* ---- Virtual fences ---- */

/* The first site of that kind and name. */
static uint32_t site_of(enum event_kind kind, const char *name)
{
    for (uint32_t i = 1; i < program.site_count; i++)
        if (program.sites[i].kind == kind &&
            strcmp(program.sites[i].name, name) == 0)
            return i;
    fail_msg("no access to %s", name);
    return 0;
}

/* How often it had that outcome, of 4,000 executions. */
static uint64_t count_outcome(const char *model, const char *text,
                              const struct channel_fence *fences, size_t count)
{
    struct job j = job_of(model, STRATEGY_RANDOM, 0, 4000);
    uint64_t seen = 0;

    j.fences = fences;
    j.fence_count = count;
    run(&j);
    assert_int_equal(w.channel->done, 4000);
    for (uint64_t i = 0; i < w.channel->outcome_count; i++)
        if (strcmp(outcome(i)->text, text) == 0)
            seen = outcome(i)->count;
    worker_free(&w);
    return seen;
}

static void sb_needs_a_virtual_fence_behind_both_stores(void **unused)
{
    static const char *const models[] = {"tso", "pso", "pslo"};
    static const char both_missed[] = "r0=0 r1=0 ";

    (void)unused;
    compile("sb");
    for (size_t m = 0; m < 3; m++) {
        struct channel_fence f[] = {{site_of(EV_STORE, "x"), FENCE_SL},
                                    {site_of(EV_STORE, "y"), FENCE_SL}};

        assert_true(count_outcome(models[m], both_missed, f, 0) > 0);
        assert_true(count_outcome(models[m], both_missed, f, 1) > 0);
        assert_int_equal(count_outcome(models[m], both_missed, f, 2), 0);
        f[0].bits = f[1].bits = FENCE_SS | FENCE_LL | FENCE_LS;
        assert_true(count_outcome(models[m], both_missed, f, 2) > 0);
        f[0].bits = f[1].bits = FENCE_FULL;
        assert_int_equal(count_outcome(models[m], both_missed, f, 2), 0);
    }
}

static void mp_needs_a_virtual_fence_on_both_sides(void **unused)
{
    (void)unused;
    compile("mp");
    struct channel_fence f[] = {{site_of(EV_STORE, "x"), FENCE_SS},
                                {site_of(EV_LOAD, "y"), FENCE_LL}};

    assert_true(count_outcome("pslo", "r0=1 r1=0 ", f, 1) > 0);
    assert_true(count_outcome("pslo", "r0=1 r1=0 ", f + 1, 1) > 0);
    assert_int_equal(count_outcome("pslo", "r0=1 r1=0 ", f, 2), 0);
}

static void a_virtual_fence_stands_in_the_trace(void **unused)
{
    struct job j = job_of("tso", STRATEGY_RANDOM, CHANNEL_TRACE, 1);
    struct channel_fence f;
    struct trace t;
    unsigned fences = 0;

    (void)unused;
    compile("sb");
    f = (struct channel_fence){site_of(EV_LOAD, "y"), FENCE_LL | FENCE_LS};
    j.fences = &f;
    j.fence_count = 1;
    run(&j);
    assert_true(trace_from_channel(w.channel, &program, &arena, &t, &e));
    for (size_t i = 0; i < t.event_count; i++) {
        if (t.events[i].kind != EV_FENCE)
            continue;
        fences++;
        assert_int_equal(t.events[i].site, f.site);
        assert_int_equal(t.events[i].flags >> EVF_FENCE_SHIFT, f.bits);
    }
    assert_int_equal(fences, 1);
    worker_free(&w);
}

/* ---- Every execution ---- */

static const char *const all_models[] = {"sc", "tso", "pso", "pslo"};

/* Outcomes by model. */
static const struct {
    const char *name;
    unsigned outcomes[4];
} small_programs[] = {
    {"sb", {3, 4, 4, 4}},       {"mp", {3, 3, 4, 4}},
    {"2+2w", {3, 3, 4, 4}},     {"iriw", {15, 15, 15, 16}},
    {"lock+inc", {2, 2, 2, 2}}, {"sb+mfences", {3, 3, 3, 3}},
};
#define SMALL_COUNT (sizeof(small_programs) / sizeof(small_programs[0]))

/* Has them all, for every_run. */
static void find_every(struct every *v, uint32_t flags, const char *model,
                       enum every_wish wish)
{
    struct job base = job_of(model, 0, flags, 0), j;

    every_begin(v, &base, model_find(model), wish, 0);
    j = every_job(v, 100000);
    run(&j);
    assert_false(every_take(v, &w, &arena));
    assert_null(v->why_not);
    worker_free(&w);
}

static void run_every(const struct every *v, uint64_t first, uint64_t count)
{
    struct job j = every_run(v, first, count);

    j.flags |= CHANNEL_TRACE | CHANNEL_RECORD;
    run(&j);
    assert_true(every_was_run(v, &w));
    assert_int_equal(w.channel->execution_count, count);
}

/* As graphs, or step by step; and as the machine takes their steps. */
static void compare_every(uint32_t flags, const char *model, unsigned outcomes)
{
    struct every v;

    find_every(&v, flags, model, EVERY_LIST);
    assert_in_range(v.count, outcomes, 2 * outcomes);
    assert_true(v.list_count >= v.count);
    run_every(&v, 0, v.list_count);
    assert_int_equal(w.channel->outcome_count, outcomes);
    worker_free(&w);
    every_free(&v);
}

static void the_machine_has_every_graph(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < SMALL_COUNT; i++) {
        compile(small_programs[i].name);
        for (size_t m = 0; m < 4; m++) {
            compare_every(0, all_models[m], small_programs[i].outcomes[m]);
            compare_every(CHANNEL_BY_PROCESS, all_models[m],
                          small_programs[i].outcomes[m]);
        }
    }
}

/* x of that program is one thread's alone, and a fence follows it. */
static void what_is_no_event_is_passed_by(void **unused)
{
    (void)unused;
    compile("sb+sl-twice");
    compare_every(0, "tso", 4);
}

static bool has_await(uint64_t n)
{
    struct trace t;

    assert_true(trace_from_channel_nth(w.channel, n, &program, &arena, &t, &e));
    for (size_t i = 0; i < t.event_count; i++)
        if (t.events[i].kind == EV_AWAIT)
            return true;
    return false;
}

/* A round in vain may come before one that succeeds: there are cycles through
 * it.  Who does not want to see that has fewer executions. */
static void rounds_in_vain_are_kept(void **unused)
{
    struct every all, fewer;
    uint64_t awaits = 0;

    (void)unused;
    compile_from("examples", "mp");
    find_every(&fewer, 0, "sc", EVERY_COUNT);
    find_every(&all, 0, "sc", EVERY_LIST);
    assert_true(all.count > fewer.count);
    run_every(&all, 0, all.list_count);
    for (uint64_t i = 0; i < all.list_count; i++)
        awaits += has_await(i);
    assert_true(awaits > 0 && awaits < all.list_count);
    worker_free(&w);
    every_free(&all);
    every_free(&fewer);
}

static void every_execution_is_had(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < SMALL_COUNT; i++) {
        compile(small_programs[i].name);
        for (size_t m = 0; m < 4; m++) {
            struct job j = job_of(all_models[m], STRATEGY_EVERY, 0, 100000);

            run(&j);
            assert_int_equal(w.channel->exhausted, 1);
            assert_int_equal(w.channel->outcome_count,
                             small_programs[i].outcomes[m]);
            assert_int_equal(w.channel->complete, w.channel->done);
            /* Few of them show the same. */
            assert_in_range(w.channel->done, small_programs[i].outcomes[m],
                            2 * small_programs[i].outcomes[m]);
            worker_free(&w);
        }
    }
}

static void every_execution_is_had_by_processes_too(void **unused)
{
    struct job j = job_of("pslo", STRATEGY_EVERY, CHANNEL_TRACE, 1000);
    uint64_t done, redundant, outcomes;

    (void)unused;
    compile("mp");
    run(&j);
    done = w.channel->done;
    redundant = w.channel->redundant;
    outcomes = w.channel->outcome_count;
    assert_int_equal(w.channel->execution_count, done);
    worker_free(&w);
    j.flags |= CHANNEL_BY_PROCESS;
    run(&j);
    assert_int_equal(w.channel->exhausted, 1);
    assert_int_equal(w.channel->done, done);
    assert_int_equal(w.channel->redundant, redundant);
    assert_int_equal(w.channel->outcome_count, outcomes);
    assert_int_equal(w.channel->execution_count, done);
    worker_free(&w);
}

static void what_was_cut_is_not_exhausted(void **unused)
{
    struct job j = job_of("tso", STRATEGY_EVERY, 0, 3);

    (void)unused;
    compile("sb");
    run(&j);
    assert_int_equal(w.channel->done, 3);
    assert_int_equal(w.channel->exhausted, 0);
    worker_free(&w);
    j.count = 1000;
    j.max_events = 12;
    run(&j);
    assert_true(w.channel->cut > 0);
    assert_int_equal(w.channel->exhausted, 0);
    worker_free(&w);
}

/* The first that fails, or that observes that; is there one?  It is run. */
static bool finds_failed(const char *model, const char *forbidden)
{
    struct job base = job_of(model, 0, 0, 0), j;
    struct every v;
    bool found;

    base.flags = 0;
    base.forbidden = forbidden;
    every_begin(&v, &base, model_find(model), EVERY_FAILED, 0);
    j = every_job(&v, 100000);
    run(&j);
    assert_false(every_take(&v, &w, &arena));
    worker_free(&w);
    found = v.list_count > 0;
    if (found) {
        run_every(&v, 0, 1);
        assert_int_equal(w.channel->failed, 1);
        worker_free(&w);
    } else {
        assert_null(v.why_not);
    }
    every_free(&v);
    return found;
}

static void one_that_fails_is_found(void **unused)
{
    (void)unused;
    compile_from("examples", "sb");
    assert_false(finds_failed("sc", NULL));
    assert_true(finds_failed("tso", NULL));
    compile("sb");
    assert_false(finds_failed("sc", "r0=0 r1=0"));
    assert_true(finds_failed("tso", "r0=0 r1=0"));
    assert_true(finds_failed("sc", "r0=0 r1=1"));
}

/* The n-th execution alone is the n-th of all, and its decisions replay it. */
static void every_execution_has_a_number(void **unused)
{
    struct job j = job_of("pso", STRATEGY_REPLAY, CHANNEL_TRACE, 1);
    struct buf all = {0}, one = {0};
    uint32_t decisions[1000];
    struct every v;
    struct trace t;

    (void)unused;
    compile("mp");
    find_every(&v, 0, "pso", EVERY_LIST);
    run_every(&v, 0, v.list_count);
    assert_true(trace_from_channel_nth(w.channel, 2, &program, &arena, &t, &e));
    t.strategy = "";
    trace_dump(&t, &all);
    worker_free(&w);
    run_every(&v, 2, 1);
    assert_true(w.channel->recorded_count < 1000);
    memcpy(decisions, (char *)w.channel + CHANNEL_SCHEDULE_AT,
           w.channel->recorded_count * sizeof(*decisions));
    j.first = 2;
    j.schedule = decisions;
    j.schedule_count = w.channel->recorded_count;
    worker_free(&w);
    run(&j);
    assert_int_equal(w.channel->misfit, 0);
    assert_true(trace_from_channel(w.channel, &program, &arena, &t, &e));
    t.strategy = "";
    trace_dump(&t, &one);
    assert_string_equal(all.bytes, one.bytes);
    worker_free(&w);
    every_free(&v);
    buf_free(&all);
    buf_free(&one);
}

static int end_arena(void **unused)
{
    (void)unused;
    arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_traces_are_those_of_single_executions),
        cmocka_unit_test(many_traces_come_from_many_processes_too),
        cmocka_unit_test(a_damaged_index_is_no_trace),
        cmocka_unit_test(sb_needs_a_virtual_fence_behind_both_stores),
        cmocka_unit_test(mp_needs_a_virtual_fence_on_both_sides),
        cmocka_unit_test(a_virtual_fence_stands_in_the_trace),
        cmocka_unit_test(the_machine_has_every_graph),
        cmocka_unit_test(what_is_no_event_is_passed_by),
        cmocka_unit_test(rounds_in_vain_are_kept),
        cmocka_unit_test(one_that_fails_is_found),
        cmocka_unit_test(every_execution_is_had),
        cmocka_unit_test(every_execution_is_had_by_processes_too),
        cmocka_unit_test(what_was_cut_is_not_exhausted),
        cmocka_unit_test(every_execution_has_a_number),
    };

    return cmocka_run_group_tests(tests, NULL, end_arena);
}
