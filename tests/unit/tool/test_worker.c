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
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "cmd/sample.h"
#include "trace/trace.h"
#include "worker/pool.h"

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

/* Says that there is as much as a number can say, and writes one event, of a
 * thread that cannot be. */
static void boast(void)
{
    struct event *ev = (void *)((char *)c + CHANNEL_EVENTS_AT);

    c->run = c->done = c->complete = c->failed = c->cut = UINT64_MAX - 1;
    c->recorded_count = c->outcome_count = c->execution_count = UINT64_MAX;
    c->object_count = c->happening_count = c->output_count = UINT64_MAX;
    c->events = c->redundant = c->goal.hits = UINT64_MAX;
    c->explore.race_count = c->explore.too_long = UINT32_MAX;
    memset(c->explore.why, 'x', sizeof(c->explore.why));
    memset(c->by_process_why, 'x', sizeof(c->by_process_why));
    memset(c->failure.message, 'x', sizeof(c->failure.message));
    ev->thread = 40000;
    c->event_count = 1;
    c->state = STATE_DONE;
    _exit(0);
}

static bool is(const char *how, const char *what)
{
    return strcmp(how, what) == 0;
}

#define WORK_MS 100

/* So long, by the processor's clock. */
static void work_in_child(void)
{
    pid_t pid = fork();

    if (pid == 0) {
        while (clock() < WORK_MS * (CLOCKS_PER_SEC / 1000))
            ;
        _exit(0);
    }
    waitpid(pid, NULL, 0);
}

static void execution(const char *how, uint64_t run)
{
    if (is(how, "child works"))
        work_in_child();
    if (run == 20 && is(how, "crash"))
        abort();
    if (run == 20 && is(how, "leave"))
        _exit(7);
    if (run == 20 && is(how, "hang")) {
        strcpy(c->outside, "event_\033base_loop");
        pause();
    }
    if (run == 20 && is(how, "garbage")) {
        memset(&c->run, 0xff, sizeof(*c) - offsetof(struct channel, run));
        abort();
    }
    if (is(how, "boast"))
        boast();
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
    if (c->flags & CHANNEL_STAY) {
        eventfd_write(c->done_fd, 1);
        pause();
    }
    return 0;
}

/* ---- The tests ---- */

static struct arena arena;
static struct sample s;
static struct err e;

static struct job job_of(const char *how, uint64_t count)
{
    static char word[32];
    static char *arguments[2];
    struct job j = {.program = "/proc/self/exe",
                    .name = "fake",
                    .arguments = arguments,
                    .model = "tso",
                    .count = count,
                    .patience_ms = 3000};

    snprintf(word, sizeof(word), "%s", how);
    arguments[0] = word;
    return j;
}

static void run_one(const char *how, uint64_t count, struct worker *w)
{
    struct job j = job_of(how, count);

    if (!worker_run(w, &j, 0, &e))
        fail_msg("%s", e.text);
}

static void sample(const char *how, uint64_t runs, unsigned jobs,
                   bool keep_going, uint64_t until_ms)
{
    struct job j = job_of(how, 0);

    if (!sample_run(&j, runs, jobs, keep_going, until_ms, &arena, &s, &e))
        fail_msg("%s", e.text);
}

static void all_executions_are_counted_for_any_number_of_jobs(void **unused)
{
    (void)unused;
    for (unsigned jobs = 1; jobs <= 5; jobs += 2) {
        sample("ok", 31, jobs, false, 0);
        assert_int_equal(s.end, SAMPLE_DONE);
        assert_int_equal(s.counts.executions, 31);
        assert_int_equal(s.counts.complete, 31);
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
        assert_int_equal(s.counts.executions, 7);
        assert_int_equal(s.counts.failed, 1);
        assert_int_equal(s.first.run, 6);
        assert_string_equal(s.first.message, "assertion failed: 0");
    }
}

static void keep_going_has_the_first_and_the_last_failure(void **unused)
{
    (void)unused;
    for (unsigned jobs = 1; jobs <= 3; jobs++) {
        sample("fails", 100, jobs, true, 0);
        assert_int_equal(s.counts.executions, 100);
        assert_int_equal(s.counts.failed, 14);
        assert_int_equal(s.counts.by_kind[FAIL_ASSERT], 14);
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
    assert_int_equal(s.counts.executions, 21);
    sample("crash", 50, 1, true, 0);
    assert_int_equal(s.counts.executions, 50);
    assert_int_equal(s.counts.failed, 1);
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
    assert_int_equal(s.counts.executions, 20);
    assert_int_equal(s.counts.failed, 0);
    assert_string_equal(s.first.message,
                        "no sign of life for too long: event_\\x1bbase_loop, "
                        "which is not instrumented, did not come back");
}

static void a_destroyed_channel_is_survived(void **unused)
{
    (void)unused;
    sample("garbage", 50, 1, true, 0);
    sample("garbage", 50, 1, false, 0);
    assert_int_equal(s.first.kind, FAIL_SIGNAL);
}

/* Nor do its numbers cost us memory or time. */
static void numbers_that_cannot_be_are_cut(void **unused)
{
    static struct fencer_site site;
    struct program p = {.sites = &site, .site_count = 1};
    struct counts n = {.executions = 5};
    struct worker w;
    struct trace t;

    (void)unused;
    run_one("boast", 10, &w);
    assert_int_equal(w.end, WORKER_DONE);
    assert_int_equal(w.channel->run, 10);
    assert_int_equal(w.channel->done, 10);
    assert_int_equal(w.channel->failed, 11);
    assert_int_equal(w.channel->recorded_count, 0);
    assert_int_equal(w.channel->outcome_count, 0);
    assert_int_equal(w.channel->happening_count, 0);
    assert_int_equal(w.channel->output_count, 0);
    assert_int_equal(w.channel->explore.race_count, CHANNEL_RACES_MAX);
    assert_int_equal(strlen(w.channel->by_process_why), 127);
    counts_take(&n, &w, NULL, &arena);
    counts_take(&n, &w, NULL, &arena);
    assert_int_equal(n.executions, 25);
    assert_true(n.events >= 1u << 31);
    w.channel->execution_count = 0;
    assert_false(trace_from_channel(w.channel, &p, &arena, &t, &e));
    assert_string_equal(e.text,
                        "the program damaged its own trace: no thread 40000");
    worker_free(&w);
}

static char calls[8];

static bool note_call(struct task *t, struct err *ignored)
{
    (void)ignored;
    strcat(calls, t->owner);
    return true;
}

/* Also those that have all ended when they are looked at. */
static void tasks_end_in_the_order_of_their_start(void **unused)
{
    struct job j = job_of("ok", 1);
    struct task tasks[4] = {{.owner = (char[]){"a"}, .ended = note_call},
                            {.owner = (char[]){"b"}, .ended = note_call},
                            {.owner = (char[]){"c"}, .ended = note_call},
                            {.owner = (char[]){"d"}, .ended = note_call}};
    struct pool p = {.running = NULL};

    (void)unused;
    for (size_t i = 0; i < 4; i++)
        assert_true(pool_start(&p, &tasks[i], &j, &e));
    pool_stop(&p, &tasks[1]);
    pool_release(&p, &tasks[1].worker);
    for (size_t i = 0; i < 4; i++) {
        siginfo_t info;

        if (i != 1)
            waitid(P_PID, (id_t)tasks[i].worker.pid, &info, WEXITED | WNOWAIT);
    }
    assert_true(pool_wait(&p, 0, &e));
    assert_string_equal(calls, "acd");
    assert_null(p.running);
    pool_dismiss(&p);
}

static void the_time_limit_ends_it(void **unused)
{
    (void)unused;
    sample("slow", 1000, 2, false, worker_now_ms() + 300);
    assert_int_equal(s.end, SAMPLE_STOPPED);
    assert_true(s.counts.executions < 1000);
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

/* Somebody killed it between two jobs: the next one wants a new one. */
static void a_worker_that_died_idle_gets_no_job(void **unused)
{
    struct job j = job_of("ok", 1);
    struct worker w, *list = &w;
    siginfo_t info;

    (void)unused;
    j.stay = true;
    assert_true(worker_start(&w, &j, &e));
    while (w.end == WORKER_RUNS)
        worker_wait(&list, 1, 0);
    assert_int_equal(w.end, WORKER_DONE);
    kill(w.pid, SIGKILL);
    waitid(P_PID, (id_t)w.pid, &info, WEXITED | WNOWAIT);
    assert_false(worker_again(&w, &j));
    worker_free(&w);
}

/* One execution is done by a process of its own, then that of the next. */
static void work_of_children_counts(void **unused)
{
    struct job j = job_of("child works", 2);
    struct worker w, *list = &w;

    (void)unused;
    j.patience_ms = 60000;
    assert_true(worker_start(&w, &j, &e));
    while (w.channel->done == 0)
        worker_wait(&list, 1, worker_now_ms() + 5);
    /* The second is at it. */
    while (w.end == WORKER_RUNS && worker_worked_ms(&w) < 3 * WORK_MS / 2)
        worker_wait(&list, 1, worker_now_ms() + 5);
    assert_int_equal(w.end, WORKER_RUNS);
    while (w.end == WORKER_RUNS)
        worker_wait(&list, 1, 0);
    assert_int_equal(w.end, WORKER_DONE);
    assert_in_range(worker_worked_ms(&w), 2 * WORK_MS - 20, 3 * WORK_MS);
    worker_free(&w);
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
        cmocka_unit_test(numbers_that_cannot_be_are_cut),
        cmocka_unit_test(tasks_end_in_the_order_of_their_start),
        cmocka_unit_test(the_time_limit_ends_it),
        cmocka_unit_test(a_program_that_cannot_be_run_says_why),
        cmocka_unit_test(a_worker_that_died_idle_gets_no_job),
        cmocka_unit_test(work_of_children_counts),
        cmocka_unit_test(output_past_the_runtime_is_kept),
    };

    /* Without a sanitizer's leak check, which does not work in the namespace
     * of tested programs. */
    if (getenv(CHANNEL_ENV) && argc > 1)
        _exit(play(argv[1]));
    return cmocka_run_group_tests(tests, NULL, free_arena);
}
