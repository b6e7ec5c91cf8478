/* SPDX-License-Identifier: MIT
 *
 * Workers and sampling, against a program that plays the runtime's part: this
 * test itself, started again with a channel.  Its first argument says how it
 * behaves.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "cmd/run_sample.h"
#include "worker/worker.h"

/* ---- The program ---- */

static struct channel *c;

static void observe(uint64_t run)
{
    struct outcome *o = (void *)((char *)c + CHANNEL_OUTCOMES_AT);

    /* Outcome i is "r=i "; three of them. */
    o += run % 3;
    snprintf(o->text, sizeof(o->text), "r=%d ", (int)(run % 3));
    o->count++;
    c->outcome_count = 3;
}

static void fail_execution(uint64_t run)
{
    c->failed++;
    c->failures_by_kind[FAIL_ASSERT]++;
    c->failure = (struct channel_failure){.kind = FAIL_ASSERT, .run = run};
    snprintf(c->failure.message, sizeof(c->failure.message),
             "assertion failed: %d", (int)(run % 2));
}

static bool is(const char *how, const char *what)
{
    return strcmp(how, what) == 0;
}

static void execution(const char *how, uint64_t run)
{
    if (run == 20 && is(how, "crash"))
        abort();
    if (run == 20 && is(how, "leave"))
        _exit(7);
    if (run == 20 && is(how, "hang"))
        pause();
    if (run == 20 && is(how, "garbage")) {
        memset(&c->run, 0xff, sizeof(*c) - offsetof(struct channel, run));
        abort();
    }
    if (is(how, "slow"))
        usleep(20000);
    if (is(how, "fails") && run % 7 == 6)
        fail_execution(run);
    if (is(how, "fails") && run % 10 == 9)
        write(STDOUT_FILENO, "past us\n", 8);
    observe(run);
}

static int play(const char *how)
{
    c = mmap(NULL, CHANNEL_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
             atoi(getenv(CHANNEL_ENV)), 0);
    if (c == MAP_FAILED || c->magic != CHANNEL_MAGIC || is(how, "no main"))
        return 5;
    if (is(how, "bad")) {
        strcpy(c->message, "it cannot");
        c->state = STATE_BAD_PROGRAM;
        return 3;
    }
    c->state = STATE_RUNNING;
    for (uint64_t run = c->first; run < c->first + c->count; run++) {
        c->run = run;
        execution(how, run);
        c->done++;
        c->complete++;
        if (c->failed && !(c->flags & CHANNEL_KEEP_GOING))
            break;
    }
    c->state = STATE_DONE;
    return 0;
}

/* ---- The tests ---- */

static struct arena arena;
static struct sample s;
static struct err e;

static void sample(const char *how, uint64_t runs, unsigned jobs,
                   bool keep_going, uint64_t until_ms)
{
    static char word[32];
    static char *arguments[2];
    struct job j = {.program = "/proc/self/exe",
                    .name = "fake",
                    .arguments = arguments,
                    .model = "tso",
                    .patience_ms = 3000};

    snprintf(word, sizeof(word), "%s", how);
    arguments[0] = word;
    if (!sample_run(&j, runs, jobs, keep_going, until_ms, &arena, &s, &e))
        fail_msg("%s", e.text);
}

static void all_executions_are_counted_for_any_number_of_jobs(void **unused)
{
    (void)unused;
    for (unsigned jobs = 1; jobs <= 5; jobs += 2) {
        sample("ok", 31, jobs, false, 0);
        assert_int_equal(s.end, SAMPLE_DONE);
        assert_int_equal(s.executions, 31);
        assert_int_equal(s.complete, 31);
        assert_int_equal(s.first.kind, 0);
        assert_int_equal(s.outcomes.count, 3);
        assert_string_equal(s.outcomes.list[0].text, "r=0");
        assert_int_equal(s.outcomes.list[0].count, 11);
        assert_int_equal(s.outcomes.list[2].count, 10);
    }
}

static void the_earliest_failure_counts_for_any_number_of_jobs(void **unused)
{
    (void)unused;
    for (unsigned jobs = 1; jobs <= 4; jobs++) {
        sample("fails", 100, jobs, false, 0);
        assert_int_equal(s.end, SAMPLE_DONE);
        assert_int_equal(s.executions, 7);
        assert_int_equal(s.failed, 1);
        assert_int_equal(s.first.run, 6);
        assert_string_equal(s.first.message, "assertion failed: 0");
    }
}

static void keep_going_has_the_first_and_the_last_failure(void **unused)
{
    (void)unused;
    for (unsigned jobs = 1; jobs <= 3; jobs++) {
        sample("fails", 100, jobs, true, 0);
        assert_int_equal(s.executions, 100);
        assert_int_equal(s.failed, 14);
        assert_int_equal(s.by_kind[FAIL_ASSERT], 14);
        assert_int_equal(s.first.run, 6);
        assert_int_equal(s.last.run, 97);
    }
}

static void a_crash_is_a_failure_of_its_execution(void **unused)
{
    (void)unused;
    sample("crash", 50, 1, false, 0);
    assert_int_equal(s.end, SAMPLE_DONE);
    assert_int_equal(s.first.kind, FAIL_SIGNAL);
    assert_int_equal(s.first.run, 20);
    assert_int_equal(s.first.signal, SIGABRT);
    assert_string_equal(s.first.message, "killed by SIGABRT");
    assert_int_equal(s.executions, 21);
    sample("crash", 50, 1, true, 0);
    assert_int_equal(s.executions, 50);
    assert_int_equal(s.failed, 1);
}

static void leaving_the_process_is_a_failure(void **unused)
{
    (void)unused;
    sample("leave", 50, 1, false, 0);
    assert_int_equal(s.first.kind, FAIL_EXIT_CODE);
    assert_int_equal(s.first.exit_code, 7);
}

static void silence_is_ended_and_is_no_failure(void **unused)
{
    (void)unused;
    sample("hang", 50, 1, true, 0);
    assert_int_equal(s.end, SAMPLE_UNSUPPORTED);
    assert_int_equal(s.first.run, 20);
    assert_int_equal(s.executions, 20);
    assert_int_equal(s.failed, 0);
}

static void a_destroyed_channel_is_survived(void **unused)
{
    (void)unused;
    sample("garbage", 50, 1, true, 0);
    sample("garbage", 50, 1, false, 0);
    assert_int_equal(s.first.kind, FAIL_SIGNAL);
}

static void the_time_limit_ends_it(void **unused)
{
    (void)unused;
    sample("slow", 1000, 2, false, worker_now_ms() + 300);
    assert_int_equal(s.end, SAMPLE_TIME);
    assert_true(s.executions < 1000);
}

static void a_program_that_cannot_be_run_says_why(void **unused)
{
    (void)unused;
    sample("bad", 50, 2, false, 0);
    assert_int_equal(s.end, SAMPLE_BAD);
    assert_string_equal(s.why, "it cannot");
    sample("no main", 50, 2, false, 0);
    assert_int_equal(s.end, SAMPLE_BAD);
    assert_string_equal(s.why, "the program did not get to main");
}

static void output_past_the_runtime_is_kept(void **unused)
{
    char *arguments[] = {(char[]){"fails"}, NULL};
    struct job j = {.program = "/proc/self/exe",
                    .name = "fake",
                    .arguments = arguments,
                    .model = "tso",
                    .first = 9,
                    .count = 1};
    struct worker w, *list = &w;
    struct buf out = {0};

    (void)unused;
    assert_true(worker_start(&w, &j, &e));
    assert_true(worker_wait(&list, 1, 0));
    assert_int_equal(w.end, WORKER_DONE);
    worker_output(&w, &out);
    assert_string_equal(out.bytes, "past us\n");
    worker_free(&w);
    buf_free(&out);
}

static int free_arena(void **unused)
{
    (void)unused;
    arena_free(&arena);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_executions_are_counted_for_any_number_of_jobs),
        cmocka_unit_test(the_earliest_failure_counts_for_any_number_of_jobs),
        cmocka_unit_test(keep_going_has_the_first_and_the_last_failure),
        cmocka_unit_test(a_crash_is_a_failure_of_its_execution),
        cmocka_unit_test(leaving_the_process_is_a_failure),
        cmocka_unit_test(silence_is_ended_and_is_no_failure),
        cmocka_unit_test(a_destroyed_channel_is_survived),
        cmocka_unit_test(the_time_limit_ends_it),
        cmocka_unit_test(a_program_that_cannot_be_run_says_why),
        cmocka_unit_test(output_past_the_runtime_is_kept),
    };

    if (getenv(CHANNEL_ENV) && argc > 1)
        return play(argv[1]);
    return cmocka_run_group_tests(tests, NULL, free_arena);
}
