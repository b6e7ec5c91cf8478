/* SPDX-License-Identifier: MIT
 *
 * Traces and cycles of the enumerator against what is known of them: the
 * cycles of the classical tests, what makes a trace sequentially consistent,
 * and which traces have a critical cycle.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "cycles.h"
#include "generate.h"
#include "parse.h"
#include "print.h"
#include "verdicts.h"

/* Semaphores are counters that everybody changes: their orders alone are a
 * million for some programs. */
static const struct traces_wish data,
    everything = {.with_sync = true, .max_states = 3000};

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

/* All cycles of p on a model in one text. */
static const char *cycles_text(const struct program *p, enum model m)
{
    static char text[4096];
    struct cycles all = {0};

    text[0] = 0;
    assert_true(cycles_of_program(p, m, &data, &all));
    for (size_t i = 0; i < all.count; i++) {
        size_t used = strlen(text);

        if (i)
            text[used++] = ' ';
        cycle_text(&all.list[i], text + used, sizeof text - used);
    }
    cycles_free(&all);
    return text;
}

static void classical_tests_have_their_cycle(void **state)
{
    static const struct {
        const char *name, *cycles;
        enum model first; /* MODEL_COUNT: none has it */
    } rows[] = {
        {"sb", "0.0>0.1~1.0>1.1~", TSO},
        {"sb+sss", "0.0>0.2~1.0>1.2~", TSO},
        {"r", "0.0>0.1~1.0>1.1~", TSO},
        {"rwc", "0.0~1.0>1.1~2.0>2.1~", TSO},
        {"3.sb", "0.0>0.1~1.0>1.1~2.0>2.1~", TSO},
        {"4.sb", "0.0>0.1~1.0>1.1~2.0>2.1~3.0>3.1~", TSO},
        {"mp", "0.0>0.1~1.0>1.1~", PSO},
        {"s", "0.0>0.1~1.0>1.1~", PSO},
        {"2+2w", "0.0>0.1~1.0>1.1~", PSO},
        {"3.2w", "0.0>0.1~1.0>1.1~2.0>2.1~", PSO},
        {"isa2", "0.0>0.1~1.0>1.1~2.0>2.1~", PSO},
        {"wrc", "0.0~1.0>1.1~2.0>2.1~", PSLO},
        {"iriw", "0.0~2.0>2.1~1.0~3.0>3.1~", PSLO},
        {"mp+full+addr", "0.0>0.2~1.0>1.1~", PSLO},
        {"lb", "", MODEL_COUNT},
        {"corr", "", MODEL_COUNT},
        {"coww", "", MODEL_COUNT},
        {"sb+mfences", "", MODEL_COUNT},
        {"iriw+lls", "", MODEL_COUNT},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program p = litmus(rows[i].name);

        for (int m = 0; m < MODEL_COUNT; m++) {
            const char *want = m >= (int)rows[i].first ? rows[i].cycles : "";
            const char *have = cycles_text(&p, (enum model)m);

            if (strcmp(want, have))
                fail_msg("%s on %s: '%s', not '%s'", rows[i].name,
                         model_names[m], have, want);
        }
    }
}

static struct program program_of(const char *text)
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

/* Counts that others found by brute force or GenMC has for these tests; the
 * last is the program on which SOBER's definition has a trace less. */
static void classical_tests_have_so_many_traces(void **state)
{
    static const struct {
        const char *name;
        size_t sc, tso, pso;
    } rows[] = {
        {"sb", 3, 4, 4},     {"r", 3, 4, 4},        {"mp", 3, 3, 4},
        {"2+2w", 3, 3, 4},   {"s", 3, 3, 4},        {"lb", 3, 3, 3},
        {"wrc", 7, 7, 7},    {"rwc", 7, 8, 8},      {"iriw", 15, 15, 15},
        {"sb+rfi", 3, 4, 4}, {"sb+xchgs", 3, 3, 3}, {NULL, 4, 5, 6},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t want[] = {rows[i].sc, rows[i].tso, rows[i].pso};
        struct program p =
            rows[i].name ? litmus(rows[i].name)
                         : program_of("int x, y; fencer_ghost long r0, r1;"
                                      "THREAD(a) { x = 1; r0 = x; r1 = y; }"
                                      "THREAD(b) { y = 1; x = 2; }"
                                      "LITMUS(a, b) { OBSERVE(r0); }");

        for (int m = SC; m <= PSO; m++) {
            struct traces t;

            traces_find(&t, &p, (enum model)m, &data);
            if (t.count != want[m])
                fail_msg("%s on %s: %zu traces, not %zu", p.name,
                         model_names[m], t.count, want[m]);
            traces_free(&t);
        }
    }
}

/* TSO, PSO, PSLO: 1 where that model leaves SC. */
static void classical_tests_leave_sc_where_they_should(void **state)
{
    static const struct {
        const char *name, *leave;
    } rows[] = {
        {"sb", "111"},         {"r", "111"},
        {"rwc", "111"},        {"mp", "011"},
        {"s", "011"},          {"2+2w", "011"},
        {"isa2", "011"},       {"wrc", "001"},
        {"iriw", "001"},       {"lb", "000"},
        {"corr", "000"},       {"coww", "000"},
        {"sb+sss", "111"},     {"sb+sls", "000"},
        {"sb+mfences", "000"}, {"mp+ss+po", "001"},
        {"mp+ss+ll", "000"},   {"mp+full+po", "001"},
        {"2+2w+sss", "000"},   {"sb+third-xchg", "011"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program p = litmus(rows[i].name);
        struct traces sc;

        traces_find(&sc, &p, SC, &everything);
        for (int m = TSO; m < MODEL_COUNT; m++) {
            bool leaves = false;

            assert_true(
                traces_leave(&sc, &p, (enum model)m, &everything, &leaves));
            if (leaves != (rows[i].leave[m - TSO] == '1'))
                fail_msg("%s on %s", p.name, model_names[m]);
        }
        traces_free(&sc);
    }
}

/* Without preemptions threads run one after the other: the two readers of IRIW
 * see any two sets of its two stores of which one is part of the other. */
static void preemptions_are_counted(void **state)
{
    static const struct {
        const char *name;
        size_t count[3];
    } rows[] = {
        {"sb", {2, 3, 3}}, {"iriw", {14, 15, 15}}, {"inc+inc", {2, 2, 2}}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program p = litmus(rows[i].name);

        for (unsigned bound = 0; bound < 3; bound++) {
            struct traces_wish few = {.bounded = true, .bound = bound};
            struct traces t;

            traces_find(&t, &p, SC, &few);
            if (t.count != rows[i].count[bound])
                fail_msg("%s with %u preemptions: %zu traces, not %zu", p.name,
                         bound, t.count, rows[i].count[bound]);
            traces_free(&t);
        }
    }
}

/* What the rules of docs/cycles.md leave out. */
static void what_is_no_critical_cycle_is_left_out(void **state)
{
    static const struct {
        const char *what, *text, *cycles[MODEL_COUNT];
    } rows[] = {
        {"a forwarded load has not looked at memory",
         "int x, y; fencer_ghost long r0, r1;"
         "THREAD(a) { x = 1; r0 = x; r1 = y; } THREAD(b) { y = 2; x = 2; }"
         "LITMUS(a, b) { OBSERVE(r0); }",
         {"", "0.0>0.2~1.0>1.1~", "0.0>0.2~1.0>1.1~ 0.1>0.2~1.0>1.1~",
          "0.0>0.2~1.0>1.1~ 0.1>0.2~1.0>1.1~"}},
        {"a pair shares no byte",
         "union cell c; int y; fencer_ghost long r0, r1, r2;"
         "THREAD(a) { r0 = c.word[0]; c.half[0] = 1; }"
         "THREAD(b) { r1 = c.half[0]; r2 = y; }"
         "THREAD(c) { y = 1; c.half[1] = 1; }"
         "LITMUS(a, b, c) { OBSERVE(r0); }",
         {"", "", "", ""}},
        {"a thread has at most two accesses",
         "int x, y, z; fencer_ghost long r0, r1;"
         "THREAD(a) { x = 1; z = 1; r0 = y; } THREAD(b) { y = 1; r1 = x; }"
         "LITMUS(a, b) { OBSERVE(r0); }",
         {"", "0.0>0.2~1.0>1.1~", "0.0>0.2~1.0>1.1~", "0.0>0.2~1.0>1.1~"}},
        {"which are neighbours",
         "int x, y; fencer_ghost long r0, r1, r2, r3;"
         "THREAD(a) { x = 1; y = 1; } THREAD(b) { r0 = x; r1 = y; }"
         "THREAD(c) { r2 = y; r3 = x; } LITMUS(a, b, c) { OBSERVE(r0); }",
         {"", "", "0.0>0.1~2.0>2.1~", "0.0>0.1~2.0>2.1~"}},
        {"no chord, though 0.0>0.1~1.0>1.1~2.0~ is a cycle too",
         "int x, y; fencer_ghost long r0, r1;"
         "THREAD(a) { x = 1; r0 = y; } THREAD(b) { y = 1; r1 = x; }"
         "THREAD(c) { x = 2; } LITMUS(a, b, c) { OBSERVE(r0); }",
         {"", "0.0>0.1~1.0>1.1~", "0.0>0.1~1.0>1.1~", "0.0>0.1~1.0>1.1~"}},
        {"mutexes are no data",
         "int x; pthread_mutex_t m; fencer_ghost long r0, r1;"
         "THREAD(a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"
         "r0 = x; } THREAD(b) { x = 1; r1 = pthread_mutex_trylock(&m); }"
         "LITMUS(a, b) { OBSERVE(r0); }",
         {"", "", "", ""}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct programs found;
        char error[256] = "";

        if (!parse_text(rows[i].text, "text", &found, error, sizeof error))
            fail_msg("%s: %s", rows[i].what, error);
        for (int m = 0; m < MODEL_COUNT; m++) {
            const char *have = cycles_text(&found.list[0], (enum model)m);

            if (strcmp(have, rows[i].cycles[m]))
                fail_msg("%s: %s: '%s'", rows[i].what, model_names[m], have);
        }
        programs_free(&found);
    }
}

/* A cycle of three, which mixed sizes give and which is no critical one: f
 * takes a part from its own thread's waiting store s, and another from memory
 * before w writes both.  (Longer ones whose pairs share a byte take more
 * accesses than these programs have.) */
static bool forwards_in_part(const struct trace *t)
{
    for (const struct access *s = t->accesses; s < t->accesses + t->count; s++)
        for (const struct access *f = s; f < t->accesses + t->count; f++)
            for (const struct access *w = t->accesses;
                 f->thread == s->thread && w < t->accesses + t->count; w++)
                if (trace_leads(t, f, w) && trace_leads(t, w, s))
                    return true;
    return false;
}

static void check_trace(const struct program *p, const struct trace *t,
                        const struct traces *sc)
{
    bool cyclic = trace_is_cyclic(p, t);
    struct cycles critical = {0};

    cycles_of_trace(t, &critical);
    if (trace_leaves_sc(p, t) == traces_have(sc, t)) {
        print_litmus(stderr, p);
        fail_msg("a trace of SC is cyclic, or one of another model is not");
    }
    if (cyclic != (critical.count || forwards_in_part(t))) {
        print_litmus(stderr, p);
        fail_msg("%s cycle, %zu critical ones", cyclic ? "a" : "no",
                 critical.count);
    }
    if (cyclic && !trace_leaves_sc(p, t))
        fail_msg("more order, fewer cycles");
    cycles_free(&critical);
}

/* A trace is one of SC if and only if happens-before has no cycle; a cycle of
 * data is, or contains, a critical one.  What leaves SC with no cycle of data
 * goes through a mutex, a semaphore, creation, join or an atomic block. */
static void cycles_are_where_sc_is_left(void **state)
{
    unsigned given_up = 0, count = 0;

    (void)state;
    for (int family = 0; family < FAMILY_COUNT; family++) {
        struct random r = {(uint64_t)family + 1};

        for (unsigned i = 0; i < 300; i++) {
            struct program p;
            struct traces sc, t;

            generate(&p, (enum family)family, 4 + i % 4, i, &r);
            traces_find(&sc, &p, SC, &everything);
            for (int m = 0; m < MODEL_COUNT; m++) {
                bool whole = traces_find(&t, &p, (enum model)m, &everything);

                for (size_t k = 0; whole && k < t.count; k++)
                    check_trace(&p, &t.list[k], &sc);
                given_up += !whole;
                count++;
                traces_free(&t);
            }
            traces_free(&sc);
        }
    }
    assert_in_range(given_up, 0, count / 20);
}

static void models_include_the_traces_of_stronger_ones(void **state)
{
    struct random r = {20110620};

    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        struct traces t[MODEL_COUNT];
        struct program p;

        generate(&p, (enum family)(i % FAMILY_COUNT), 4 + i % 4, i, &r);
        for (int m = 0; m < MODEL_COUNT; m++)
            traces_find(&t[m], &p, (enum model)m, &data);
        for (int m = 1; m < MODEL_COUNT; m++)
            for (size_t k = 0; k < t[m - 1].count; k++)
                assert_true(traces_have(&t[m], &t[m - 1].list[k]));
        for (int m = 0; m < MODEL_COUNT; m++)
            traces_free(&t[m]);
    }
}

static void early_steps_lose_no_trace(void **state)
{
    static const struct traces_wish every = {.options = {.every_step = true}};
    struct random r = {5};

    (void)state;
    for (unsigned i = 0; i < 150; i++) {
        struct program p;

        generate(&p, (enum family)(i % FAMILY_COUNT), 4 + i % 3, i, &r);
        for (int m = 0; m < MODEL_COUNT; m++) {
            struct traces a, b;

            traces_find(&a, &p, (enum model)m, &data);
            traces_find(&b, &p, (enum model)m, &every);
            assert_int_equal(a.count, b.count);
            assert_memory_equal(a.list, b.list, a.count * sizeof *a.list);
            traces_free(&a);
            traces_free(&b);
        }
    }
}

/* As the tool writes cycles; the program is SB, with an RMW over two lines. */
static void cycles_of_the_tool_are_understood(void **state)
{
    static const char sb[] = "int x, y; fencer_ghost long r0, r1;\n"
                             "THREAD(a) {\n x = 1;\n r0 = y;\n }\n"
                             "THREAD(b) {\n r1 =\n __atomic_exchange_n(&y, 1,\n"
                             "__ATOMIC_RELAXED);\n r1 = x;\n }\n"
                             "LITMUS(a, b) { OBSERVE(r0); }";
    static const char *const wrong[] = {
        "sb.c:3:4>sb.c:4:7~sb.c:8:2>sb.c:10:7",   /* no end */
        "sb.c:3:4~sb.c:4:7~sb.c:8:2>sb.c:10:7~",  /* no pair */
        "sb.c:3:4>sb.c:4:7>sb.c:8:2>sb.c:10:7~",  /* no conflict */
        "sb.c:3:4>sb.c:4:7~sb.c:12:2>sb.c:10:7~", /* no access */
        "mp.c:3:4>sb.c:4:7~sb.c:8:2>sb.c:10:7~",  /* another file */
        "sb.c:3:4>sb.c:4:7~sb.c:8:2~",            /* too short */
        "sb.c:3>sb.c:4~sb.c:8>sb.c:10~",
    };
    struct programs found;
    struct cycle c;
    char error[256] = "", text[64];

    (void)state;
    if (!parse_text(sb, "sb", &found, error, sizeof error))
        fail_msg("%s", error);
    assert_true(verdicts_parse("sb.c:8:2>sb.c:10:7~sb.c:3:4>sb.c:4:7~",
                               &found.list[0], "/tests/sb.c", &c));
    cycle_text(&c, text, sizeof text);
    assert_string_equal(text, "1.0>1.1~0.0>0.1~");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (verdicts_parse(wrong[i], &found.list[0], "sb.c", &c))
            fail_msg("accepted: %s", wrong[i]);
    programs_free(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classical_tests_have_their_cycle),
        cmocka_unit_test(classical_tests_have_so_many_traces),
        cmocka_unit_test(classical_tests_leave_sc_where_they_should),
        cmocka_unit_test(preemptions_are_counted),
        cmocka_unit_test(what_is_no_critical_cycle_is_left_out),
        cmocka_unit_test(cycles_are_where_sc_is_left),
        cmocka_unit_test(models_include_the_traces_of_stronger_ones),
        cmocka_unit_test(early_steps_lose_no_trace),
        cmocka_unit_test(cycles_of_the_tool_are_understood),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
