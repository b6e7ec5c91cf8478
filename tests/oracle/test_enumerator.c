/* SPDX-License-Identifier: MIT
 *
 * The enumerator against what is known: the classical verdicts of
 * docs/models.md, trace counts found by others, and itself with every step
 * taken.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "enumerate.h"
#include "generate.h"
#include "parse.h"
#include "print.h"
#include "traces.h"

static const struct options none;

static struct program litmus(const char *name)
{
    struct programs found;
    struct program p;
    char path[512], error[256] = "";

    snprintf(path, sizeof path, "%s/%s.c", LITMUS_DIR, name);
    if (!parse_file(path, &found, error, sizeof error))
        fail_msg("%s: %s", path, error);
    p = found.list[0];
    programs_free(&found);
    return p;
}

static struct program from_text(const char *text)
{
    struct programs found;
    struct program p;
    char error[256] = "";

    if (!parse_text(text, "text", &found, error, sizeof error))
        fail_msg("%s", error);
    p = found.list[0];
    programs_free(&found);
    return p;
}

static enum verdict verdict_of(const struct program *p, enum model m,
                               const struct options *options)
{
    struct enumerated e;
    enum verdict v;

    enumerate(&e, p, m, options, 0);
    v = outcomes_verdict(p, &e.outcomes);
    outcomes_free(&e.outcomes);
    return v;
}

static size_t count_outcomes(const struct program *p, enum model m)
{
    struct enumerated e;
    size_t count;

    enumerate(&e, p, m, &none, 0);
    assert_int_equal(e.stuck, 0);
    count = e.outcomes.count;
    outcomes_free(&e.outcomes);
    return count;
}

static size_t count_traces(const struct program *p, enum model m)
{
    static const struct traces_wish data;
    struct traces t;
    size_t count;

    traces_find(&t, p, m, &data);
    count = t.count;
    traces_free(&t);
    return count;
}

/* docs/models.md, "Classical verdicts". */
static void classical_verdicts_are_those_of_the_design(void **state)
{
    static const struct {
        const char *name, *allowed;
    } rows[] = {{"sb", ".aaa"},    {"r", ".aaa"},     {"rwc", ".aaa"},
                {"mp", "..aa"},    {"s", "..aa"},     {"2+2w", "..aa"},
                {"isa2", "..aa"},  {"wrc", "...a"},   {"iriw", "...a"},
                {"lb", "...."},    {"corr", "...."},  {"coww", "...."},
                {"cowr", "...."},  {"corw2", "...."}, {"mp+full+addr", "...a"},
                {"sb+sss", ".aaa"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program p = litmus(rows[i].name);

        for (int m = 0; m < MODEL_COUNT; m++)
            if ((verdict_of(&p, (enum model)m, &none) != NEVER) !=
                (rows[i].allowed[m] == 'a'))
                fail_msg("%s on %s", rows[i].name, model_names[m]);
    }
}

/* Distinct values and all of memory observed: an outcome is a trace. */
static void outcome_counts_are_the_known_trace_counts(void **state)
{
    static const struct {
        const char *name, *text;
        size_t counts[3]; /* SC, TSO, PSO */
    } rows[] = {
        {"SB",
         "int x, y; fencer_ghost long r0, r1;"
         "THREAD(a) { x = 1; r0 = y; } THREAD(b) { y = 1; r1 = x; }"
         "LITMUS(a, b) { OBSERVE(r0); OBSERVE(r1); }",
         {3, 4, 4}},
        {"2+2W",
         "int x, y; THREAD(a) { x = 1; y = 2; } THREAD(b) { y = 1; x = 2; }"
         "LITMUS(a, b) { OBSERVE(x); OBSERVE(y); }",
         {3, 3, 4}},
        {"WRC",
         "int x, y; fencer_ghost long r0, r1, r2; THREAD(a) { x = 1; }"
         "THREAD(b) { r0 = x; y = 1; } THREAD(c) { r1 = y; r2 = x; }"
         "LITMUS(a, b, c) { OBSERVE(r0); OBSERVE(r1); OBSERVE(r2); }",
         {7, 7, 7}},
        {"R",
         "int x, y; fencer_ghost long r0;"
         "THREAD(a) { x = 1; y = 1; } THREAD(b) { y = 2; r0 = x; }"
         "LITMUS(a, b) { OBSERVE(r0); OBSERVE(y); }",
         {3, 4, 4}},
        {"S",
         "int x, y; fencer_ghost long r0;"
         "THREAD(a) { x = 2; y = 1; } THREAD(b) { r0 = y; x = 1; }"
         "LITMUS(a, b) { OBSERVE(r0); OBSERVE(x); }",
         {3, 3, 4}},
        {"RWC",
         "int x, y; fencer_ghost long r0, r1, r2; THREAD(a) { x = 1; }"
         "THREAD(b) { r0 = x; r1 = y; } THREAD(c) { y = 1; r2 = x; }"
         "LITMUS(a, b, c) { OBSERVE(r0); OBSERVE(r1); OBSERVE(r2); }",
         {7, 8, 8}},
        {"MP",
         "int x, y; fencer_ghost long r0, r1;"
         "THREAD(a) { x = 1; y = 1; } THREAD(b) { r0 = y; r1 = x; }"
         "LITMUS(a, b) { OBSERVE(r0); OBSERVE(r1); }",
         {3, 3, 4}},
        {"LB",
         "int x, y; fencer_ghost long r0, r1;"
         "THREAD(a) { r0 = x; y = 1; } THREAD(b) { r1 = y; x = 1; }"
         "LITMUS(a, b) { OBSERVE(r0); OBSERVE(r1); }",
         {3, 3, 3}},
        {"IRIW",
         "int x, y; fencer_ghost long r0, r1, r2, r3; THREAD(a) { x = 1; }"
         "THREAD(b) { y = 1; } THREAD(c) { r0 = x; r1 = y; }"
         "THREAD(d) { r2 = y; r3 = x; } LITMUS(a, b, c, d)"
         "{ OBSERVE(r0); OBSERVE(r1); OBSERVE(r2); OBSERVE(r3); }",
         {15, 15, 15}},
        {"SB+rfi",
         "int x, y; fencer_ghost long r0, r1, r2, r3;"
         "THREAD(a) { x = 1; r0 = x; r1 = y; }"
         "THREAD(b) { y = 1; r2 = y; r3 = x; } LITMUS(a, b)"
         "{ OBSERVE(r0); OBSERVE(r1); OBSERVE(r2); OBSERVE(r3); }",
         {3, 4, 4}},
        {"SOBER's flaw",
         "int x, y; fencer_ghost long r0, r1;"
         "THREAD(a) { x = 1; r0 = x; r1 = y; } THREAD(b) { y = 2; x = 2; }"
         "LITMUS(a, b) { OBSERVE(r0); OBSERVE(r1); OBSERVE(x); }",
         {4, 5, 6}},
        {"SB+il",
         "int x, y; fencer_ghost long r0, r1, r2, r3;"
         "THREAD(a) { r2 = __atomic_exchange_n(&x, 1, __ATOMIC_RELAXED);"
         "r0 = y; }"
         "THREAD(b) { r3 = __atomic_exchange_n(&y, 1, __ATOMIC_RELAXED);"
         "r1 = x; }"
         "LITMUS(a, b) { OBSERVE(r0); OBSERVE(r1); }",
         {3, 3, 3}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program p = from_text(rows[i].text);

        for (int m = SC; m <= PSO; m++) {
            size_t count = count_outcomes(&p, (enum model)m);

            if (count != rows[i].counts[m])
                fail_msg("%s on %s: %zu", rows[i].name, model_names[m], count);
            assert_int_equal(count_traces(&p, (enum model)m), count);
        }
    }
}

static void every_litmus_file_states_all_verdicts(void **state)
{
    struct program p = litmus("sb");

    (void)state;
    assert_int_equal(p.verdict[SC], NEVER);
    assert_int_equal(p.verdict[TSO], SOMETIMES);
    assert_int_equal(p.verdict[PSO], SOMETIMES);
    assert_int_equal(p.verdict[PSLO], SOMETIMES);
    assert_int_equal(p.term_count, 7);
}

static void options_change_what_they_should(void **state)
{
    static const struct options paper = {.locks_paper = true};
    static const struct options one = {.buffer = 1};
    struct program locks = litmus("lock+sb-behind");
    struct program two = litmus("mp");

    (void)state;
    /* The paper's unlock is buffered, on TSO too. */
    assert_int_equal(verdict_of(&locks, TSO, &none), NEVER);
    assert_int_equal(verdict_of(&locks, TSO, &paper), SOMETIMES);
    /* With one entry the second store waits for the first. */
    assert_int_equal(verdict_of(&two, PSO, &none), SOMETIMES);
    assert_int_equal(verdict_of(&two, PSO, &one), NEVER);
    assert_int_equal(verdict_of(&two, PSLO, &one), SOMETIMES);
}

static void early_steps_lose_nothing(void **state)
{
    struct random r = {42};

    (void)state;
    for (unsigned i = 0; i < 1600; i++) {
        struct options every = {.every_step = true,
                                .buffer = i % 5 == 0 ? 1 + i % 2 : 0};
        struct options early = {.buffer = every.buffer};
        struct program p;

        generate(&p, (enum family)(i % FAMILY_COUNT), 4 + i % 3, i, &r);
        for (int m = 0; m < MODEL_COUNT; m++) {
            struct enumerated a, b;

            enumerate(&a, &p, (enum model)m, &early, 0);
            enumerate(&b, &p, (enum model)m, &every, 0);
            if (!outcomes_equal(&a.outcomes, &b.outcomes)) {
                print_litmus(stderr, &p);
                fail_msg("%s: %zu and %zu", model_names[m], a.outcomes.count,
                         b.outcomes.count);
            }
            outcomes_free(&a.outcomes);
            outcomes_free(&b.outcomes);
        }
    }
}

static void a_deadlock_is_noticed(void **state)
{
    struct program p =
        from_text("pthread_mutex_t m, n;"
                  "THREAD(a) { pthread_mutex_lock(&m); pthread_mutex_lock(&n);"
                  "pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); }"
                  "THREAD(b) { pthread_mutex_lock(&n); pthread_mutex_lock(&m);"
                  "pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); }"
                  "int x; LITMUS(a, b) { OBSERVE(x); }");
    struct enumerated e;

    (void)state;
    for (int m = 0; m < MODEL_COUNT; m++) {
        enumerate(&e, &p, (enum model)m, &none, 0);
        assert_true(e.stuck > 0);
        outcomes_free(&e.outcomes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classical_verdicts_are_those_of_the_design),
        cmocka_unit_test(outcome_counts_are_the_known_trace_counts),
        cmocka_unit_test(every_litmus_file_states_all_verdicts),
        cmocka_unit_test(options_change_what_they_should),
        cmocka_unit_test(early_steps_lose_nothing),
        cmocka_unit_test(a_deadlock_is_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
