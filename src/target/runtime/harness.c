/* SPDX-License-Identifier: MIT
 *
 * main of a file with FENCER_INIT: reads a test in CheckFence's notation
 * (include/fencer.h), runs what comes before the threads, and then a thread for
 * each of the test's.
 *
 * A serial execution (CHANNEL_SERIAL) is one in which each operation is a step
 * of its own: nobody else runs from its beginning to its end.  An operation
 * that would have to wait there has no such execution.  In a graph it is what a
 * thread does while it holds a lock.  What serial executions
 * observe is what the others may observe (runtime_observe.c).
 */
#include <string.h>

#include "event/notation.h"
#include "runtime/driver.h"
#include "runtime/native.h"
#include "runtime/sched.h"
#include "sync/sync.h"

MODEL_OF(fencer_atomic_begin)
MODEL_OF(fencer_atomic_end)

#define THREADS_MAX 64
#define CALLS_MAX 1024

struct call {
    void (*run)(void);
    bool once; /* primed: an execution in which it tries again, with nothing
                  carried into the next round, does not count */
};

/* The test under way: calls of thread i are [begin[i], begin[i + 1]); thread 0
 * is main.  Read anew for each execution. */
static struct call calls[CALLS_MAX];
static uint32_t begin[THREADS_MAX + 2];
static uint32_t call_count, thread_count;
static bool begin_observed; /* what comes before the threads observed */
static uint32_t harness_site;

struct operations {
    const struct fencer_operation_ *const *first, *const *end;
};

static const char *operation_name(const void *operations, uint32_t i)
{
    const struct operations *o = operations;

    return i < (size_t)(o->end - o->first) ? o->first[i]->name : NULL;
}

static void keep_call(const struct operations *o, struct notation_call call,
                      uint32_t site)
{
    if (call_count == CALLS_MAX)
        rt_fail(FAIL_UNSUPPORTED, site, "a test of more than %u operations",
                CALLS_MAX);
    if (call.thread > THREADS_MAX)
        rt_fail(FAIL_UNSUPPORTED, site, "a test of more than %u threads",
                THREADS_MAX);
    while (thread_count < call.thread)
        begin[++thread_count] = call_count;
    calls[call_count++] =
        (struct call){o->first[call.operation]->run, call.once};
}

static void read_test(const char *text, const struct operations *o,
                      uint32_t site)
{
    struct notation n = notation_begin(text, operation_name, o);
    struct notation_call call;
    enum notation_step step;

    call_count = thread_count = 0;
    begin[0] = 0;
    while ((step = notation_next(&n, &call)) == NOTATION_CALL)
        keep_call(o, call, site);
    if (step == NOTATION_WRONG)
        rt_fail(FAIL_UNSUPPORTED, site,
                "\"%s\" is neither a test nor made of operations, at \"%s\"",
                text, n.at);
    begin[thread_count + 1] = call_count;
}

/* ---- Running it ---- */

static void begin_call(uint32_t site)
{
    if (!(rt.channel->flags & CHANNEL_SERIAL))
        return;
    if (rt.graphs)
        native_begin_serial(site);
    else
        __fencer_fencer_atomic_begin();
}

static void end_call(uint32_t site)
{
    if (!(rt.channel->flags & CHANNEL_SERIAL))
        return;
    if (rt.graphs)
        native_end_serial(site);
    else
        __fencer_fencer_atomic_end();
}

static void run_calls(uint32_t from, uint32_t to, uint32_t site)
{
    struct thread *t = rt_self();

    for (uint32_t i = from; i < to; i++) {
        t->once = calls[i].once;
        if (t->once)
            __fencer_countdown = 0;
        begin_call(site);
        calls[i].run();
        end_call(site);
        t->once = false;
    }
}

static void *run_thread(void *number)
{
    uintptr_t i = (uintptr_t)number;

    if (i > 1 || begin_observed)
        observe_next_thread();
    run_calls(begin[i], begin[i + 1], harness_site);
    return NULL;
}

static void run_test(void (*init)(void), uint32_t site)
{
    pthread_t handles[THREADS_MAX + 1];

    harness_site = site;
    init();
    run_calls(begin[0], begin[1], site);
    begin_observed = !observe_is_empty();
    for (uintptr_t i = 1; i <= thread_count; i++)
        sync_create(&handles[i], NULL, run_thread, NULL, (void *)i, site);
    for (uint32_t i = 1; i <= thread_count; i++)
        sync_join(handles[i], NULL, NULL, site);
}

static void print(const char *text)
{
    rt_output(text, strlen(text));
}

MODEL(int, fencer_harness,
      (int argc, char **argv, void (*init)(void),
       const struct fencer_operation_ *const *operations,
       const struct fencer_operation_ *const *operations_end,
       const struct fencer_test_ *const *tests,
       const struct fencer_test_ *const *tests_end))
{
    struct operations all = {operations, operations_end};
    uint32_t site = rt_take_site_known();
    const struct fencer_test_ *first = NULL;
    const char *name = argc > 1 ? argv[1] : NULL, *text = name;
    bool list = name && strcmp(name, "--list") == 0;

    for (const struct fencer_test_ *const *t = tests; t != tests_end; t++) {
        if (list) {
            print((*t)->name);
            print(" ");
            print((*t)->notation);
            print("\n");
        }
        if (name && strcmp(name, (*t)->name) == 0)
            text = (*t)->notation;
        if (!first || (*t)->line < first->line)
            first = *t;
    }
    if (list)
        return 0;
    if (!name && !first)
        rt_fail(FAIL_UNSUPPORTED, site,
                "no test is given, and there is no FENCER_TEST");
    if (!name)
        text = first->notation;
    read_test(text, &all, site);
    run_test(init, site);
    observe_judge(site);
    return 0;
}
