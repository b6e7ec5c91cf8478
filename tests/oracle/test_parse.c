/* SPDX-License-Identifier: MIT
 *
 * Reading and writing programs: parse(print(p)) is p, and what the parser
 * does not know it refuses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"
#include "outcomes.h"
#include "parse.h"
#include "print.h"

enum { COUNT = 40 };

/* Then a line tells which access it is. */
static void check_lines(const struct program *p)
{
    for (size_t t = 0; t < p->thread_count; t++) {
        unsigned last = 0;

        for (size_t i = 0; i < p->threads[t].op_count; i++) {
            const struct op *op = &p->threads[t].ops[i];

            if (!op_accesses(op))
                continue;
            assert_true(op->line > last && op->last_line >= op->line);
            last = op->last_line;
        }
    }
}

static void printed_batches_read_back(void **state)
{
    static struct program list[COUNT];
    struct random r = {9};

    (void)state;
    for (unsigned round = 0; round < 8 * FAMILY_COUNT; round++) {
        struct programs found;
        char *text, error[256] = "";
        size_t size;
        FILE *f = open_memstream(&text, &size);

        for (unsigned i = 0; i < COUNT; i++)
            generate(&list[i], (enum family)(round % FAMILY_COUNT), 4 + i % 5,
                     i, &r);
        print_batch(f, list, COUNT);
        fclose(f);
        if (!parse_text(text, "batch", &found, error, sizeof error))
            fail_msg("%s", error);
        assert_int_equal(found.count, COUNT);
        for (unsigned i = 0; i < COUNT; i++)
            assert_true(program_equal(&list[i], &found.list[i]));
        for (unsigned i = 0; i < COUNT; i++)
            check_lines(&found.list[i]);
        programs_free(&found);
        free(text);
    }
}

static void litmus_files_print_and_read_back(void **state)
{
    DIR *d = opendir(LITMUS_DIR);
    struct dirent *e;
    unsigned count = 0;

    (void)state;
    assert_non_null(d);
    while ((e = readdir(d))) {
        struct programs first, second;
        char path[512], error[256] = "", *text;
        size_t size;
        FILE *f;

        if (!strstr(e->d_name, ".c"))
            continue;
        snprintf(path, sizeof path, "%s/%s", LITMUS_DIR, e->d_name);
        if (!parse_file(path, &first, error, sizeof error))
            fail_msg("%s: %s", path, error);
        assert_int_equal(first.count, 1);
        check_lines(&first.list[0]);
        /* Assignment to an _Atomic is seq_cst, and printed as such. */
        f = open_memstream(&text, &size);
        print_litmus(f, &first.list[0]);
        fclose(f);
        if (!parse_text(text, "again", &second, error, sizeof error))
            fail_msg("%s: %s\n%s", path, error, text);
        if (!program_equal(&first.list[0], &second.list[0]))
            fail_msg("%s reads back differently:\n%s", path, text);
        programs_free(&first);
        programs_free(&second);
        free(text);
        count++;
    }
    closedir(d);
    assert_true(count >= 150);
}

static void what_is_not_known_is_refused(void **state)
{
    static const char *const wrong[] = {
        "int x; THREAD(a) { x += 1; } LITMUS(a) { OBSERVE(x); }",
        "int x; THREAD(a) { foo(&x); } LITMUS(a) { OBSERVE(x); }",
        "int x; THREAD(a) { x = y; } LITMUS(a) { OBSERVE(x); }",
        "int x; THREAD(a) { x = 1 } LITMUS(a) { OBSERVE(x); }",
        "int x; THREAD(a) { x = 1; } LITMUS(b) { OBSERVE(x); }",
        "int x; THREAD(a) { x = 1; } LITMUS(a) { EXISTS(x == 1); }",
        "int x; THREAD(a) { while (x) { } } LITMUS(a) { OBSERVE(x); }",
        "int x; THREAD(a) { pthread_mutex_lock(&x); } LITMUS(a) { }",
        "int x; THREAD(a) { sem_post(&x); } LITMUS(a) { }",
        "sem_t s = 1; THREAD(a) { sem_wait(&s); } LITMUS(a) { }",
        "int x; THREAD(a) { fencer_atomic { mfence(); } } LITMUS(a) { }",
        "float x; THREAD(a) { x = 1; } LITMUS(a) { OBSERVE(x); }",
        "union cell c; THREAD(a) { c.half[4] = 1; } LITMUS(a) { }",
        "/*\n * sc: perhaps\n */ int x;",
        "int x; THREAD(a) {",
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct programs found;
        char error[256] = "";

        if (parse_text(wrong[i], "wrong", &found, error, sizeof error))
            fail_msg("accepted: %s", wrong[i]);
        assert_non_null(strstr(error, "line "));
    }
}

static void outcomes_read_back(void **state)
{
    struct program p = {.observed_count = 2};
    uint64_t values[2] = {3, 18}, again[2];
    char text[64];

    (void)state;
    strcpy(p.observed[0].label, "r0");
    strcpy(p.observed[1].label, "c.half[1]");
    outcome_text(&p, values, text, sizeof text);
    assert_string_equal(text, "r0=3 c.half[1]=18");
    assert_true(outcome_parse(&p, "r0=3 c.half[1]=18 ", again));
    assert_memory_equal(values, again, sizeof values);
    assert_false(outcome_parse(&p, "r0=3", again));
    assert_false(outcome_parse(&p, "r0=3 c.half[1]=18 x=1", again));
    assert_false(outcome_parse(&p, "r0= c.half[1]=18", again));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_batches_read_back),
        cmocka_unit_test(litmus_files_print_and_read_back),
        cmocka_unit_test(what_is_not_known_is_refused),
        cmocka_unit_test(outcomes_read_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
