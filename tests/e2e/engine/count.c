/* SPDX-License-Identifier: MIT
 *
 * How many executions there are of small programs that use the library
 * (orders.c): one for each order that matters, and none for orders that do not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "worker/worker.h"

static struct worker w;
static struct err e;
static char path[] = "./orders";

static int compile(void **unused)
{
    char command[1024];

    (void)unused;
    snprintf(command, sizeof(command),
             "'%s' cc -o '%s' '%s/tests/e2e/engine/orders.c'", getenv("FENCER"),
             path, getenv("SOURCE"));
    return system(command);
}

/* All executions of a case on SC. */
static void run(char *name, uint32_t strategy, uint32_t flags)
{
    static const struct channel_explore orders = {.tree_fd = -1};
    char *arguments[] = {name, NULL};
    struct worker *list[1] = {&w};
    struct job j = {.program = path,
                    .name = path,
                    .arguments = arguments,
                    .model = "sc",
                    .strategy = strategy,
                    .flags = CHANNEL_KEEP_GOING | CHANNEL_NO_SPURIOUS | flags,
                    .explore = &orders,
                    .seed = 1,
                    .count = 100000};

    if (!worker_start(&w, &j, &e) || !worker_wait(list, 1, 0))
        fail_msg("%s: no worker", name);
    if (w.end != WORKER_DONE || !w.channel->exhausted)
        fail_msg("%s: not all executions", name);
}

/* A case, its executions that end well, and whether others fail. */
struct expected {
    char *name;
    unsigned well;
    bool fails;
};

static unsigned count_by(const struct expected *x, size_t n, uint32_t strategy)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < n; i++) {
        run(x[i].name, strategy, 0);
        if (w.channel->done - w.channel->failed != x[i].well ||
            (w.channel->failed > 0) != x[i].fails) {
            print_error("%s: %d executions, %d failed; not %d\n", x[i].name,
                        (int)w.channel->done, (int)w.channel->failed,
                        (int)x[i].well);
            wrong++;
        }
        worker_free(&w);
    }
    return wrong;
}

/* However they are found. */
static void count(const struct expected *x, size_t n)
{
    assert_int_equal(count_by(x, n, STRATEGY_EVERY), 0);
    assert_int_equal(count_by(x, n, STRATEGY_EXPLORE), 0);
}

#define COUNT(list) count(list, sizeof(list) / sizeof((list)[0]))

static void a_block_is_its_threads_until_it_is_shared(void **unused)
{
    static const struct expected cases[] = {
        {"malloc", 1, false},        {"malloc-more", 1, false},
        {"malloc-shared", 2, false}, {"free", 1, true},
        {"free-twice", 0, true},     {"memcpy", 1, false},
        {"memcpy-shared", 2, false},
    };

    (void)unused;
    COUNT(cases);
}

static void locks_are_taken_in_every_order(void **unused)
{
    static const struct expected cases[] = {
        {"lock", 6, false},
        {"lock-other", 1, false},
        {"trylock", 4, false},
        {"spin", 6, false},
        {"mtx", 2, false},
        {"writers", 6, false},
        /* Each is two read-modify-writes of one word. */
        {"readers", 6, false},
    };

    (void)unused;
    COUNT(cases);
}

static void who_waits_is_woken_in_every_order(void **unused)
{
    static const struct expected cases[] = {
        {"cond", 2, false},     {"cond-three", 10, false},
        {"cond-lost", 1, true}, {"sem", 6, false},
        {"sem-wait", 2, false}, {"sem-destroy", 0, true},
        {"barrier", 2, false},  {"once", 2, false},
    };

    (void)unused;
    COUNT(cases);
}

static void what_is_a_threads_own_has_no_order(void **unused)
{
    static const struct expected cases[] = {
        {"keys", 1, false},    {"keys-made", 3, false}, {"exit", 1, false},
        {"rand", 2, false},    {"sleep", 1, false},     {"time", 2, false},
        {"observe", 1, false},
    };

    (void)unused;
    COUNT(cases);
}

static void observations_stand_by_thread(void **unused)
{
    const struct outcome *o;

    (void)unused;
    run("observe", STRATEGY_EVERY, 0);
    o = (struct outcome *)((char *)w.channel + CHANNEL_OUTCOMES_AT);
    assert_int_equal(w.channel->outcome_count, 1);
    assert_string_equal(o->text, "two=2 and=3 one=1 ");
    worker_free(&w);
}

static void who_explores_does_not_mind_the_order_of_output(void **unused)
{
    static const struct expected x = {"print", 1, false};

    (void)unused;
    assert_int_equal(count_by(&x, 1, STRATEGY_EXPLORE), 0);
}

/* The accesses that engines are told of, and those of the trace. */
static void what_happened_is_what_the_trace_says(void **unused)
{
    static char *const names[] = {
        "malloc-more", "memcpy-shared", "trylock", "spin", "mtx",  "readers",
        "cond-three",  "sem",           "barrier", "once", "keys", "print"};

    (void)unused;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct channel_execution *x;

        run(names[i], STRATEGY_EXPLORE, CHANNEL_TRACE);
        x = (struct channel_execution *)((char *)w.channel +
                                         CHANNEL_EXECUTIONS_AT);
        assert_int_equal(w.channel->execution_count, w.channel->done);
        for (uint64_t n = 0; n < w.channel->done; n++) {
            assert_true(x[n].event_count > 4);
            if (x[n].unlike)
                fail_msg("%s: execution %d", names[i], (int)n);
        }
        worker_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_its_threads_until_it_is_shared),
        cmocka_unit_test(locks_are_taken_in_every_order),
        cmocka_unit_test(who_waits_is_woken_in_every_order),
        cmocka_unit_test(what_is_a_threads_own_has_no_order),
        cmocka_unit_test(observations_stand_by_thread),
        cmocka_unit_test(who_explores_does_not_mind_the_order_of_output),
        cmocka_unit_test(what_happened_is_what_the_trace_says),
    };

    return cmocka_run_group_tests(tests, compile, NULL);
}
