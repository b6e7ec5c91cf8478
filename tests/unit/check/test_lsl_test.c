/* SPDX-License-Identifier: MIT
 *
 * Tests in the paper's notation.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lsl/lsl_test.h"

static struct lsl_operation operations[] = {{"e", 0},  {"d", 1},  {"a", 2},
                                            {"al", 3}, {"rr", 4}, {"r", 5}};
static struct lsl_test tests_of_file[] = {{"T0", "( e | d )", 1},
                                          {"e", "d", 2}};
static const struct lsl_program program = {.operations = operations,
                                           .operation_count = 6,
                                           .tests = tests_of_file,
                                           .test_count = 2};

static void put_thread(const struct test_thread *t, struct buf *out)
{
    for (uint32_t i = 0; i < t->count; i++)
        buf_printf(out, "%s%s ", operations[t->calls[i].operation].name,
                   t->calls[i].once ? "'" : "");
}

/* What was understood, in words of one kind. */
static void assert_read(const char *text, const char *want)
{
    struct arena a = ARENA_INIT;
    struct buf out = {0};
    struct test t;
    struct err e;

    if (!lsl_parse_test(&program, text, &a, &t, &e)) {
        buf_puts(&out, e.text);
    } else {
        put_thread(&t.init, &out);
        for (uint32_t i = 0; i < t.thread_count; i++) {
            buf_puts(&out, "| ");
            put_thread(&t.threads[i], &out);
        }
    }
    assert_string_equal(out.bytes, want);
    buf_free(&out);
    arena_free(&a);
}

static void tests_of_the_paper_are_read(void **unused)
{
    (void)unused;
    assert_read("( e | d )", "| e | d ");
    assert_read("(e|d)", "| e | d ");
    assert_read("e ( ed | de )", "e | e d | d e ");
    assert_read("e(de|dde)", "e | d e | d d e ");
    assert_read("a'a ( e' | d'd )", "a' a | e' | d' d ");
    assert_read("\t e \n", "| e ");
    assert_read("ee", "| e e ");
}

static void the_longest_name_counts(void **unused)
{
    (void)unused;
    assert_read("alrr", "| al rr ");
    assert_read("al rr", "| al rr ");
    assert_read("a rrr", "| a rr r ");
    assert_read("(al al | rr r r)", "| al al | rr r r ");
}

static void a_test_of_the_file_goes_by_its_name(void **unused)
{
    struct arena a = ARENA_INIT;
    struct test t;
    struct err e;

    (void)unused;
    assert_read("T0", "| e | d ");
    assert_read("e", "| d ");
    assert_true(lsl_parse_test(&program, "T0", &a, &t, &e));
    assert_string_equal(t.name, "T0");
    assert_string_equal(t.notation, "( e | d )");
    arena_free(&a);
}

static void what_is_wrong_is_named(void **unused)
{
    (void)unused;
    assert_read("( e | x )",
                "test \"( e | x )\": no operation at \"x )\"; there are e, d, "
                "a, al, rr, r");
    assert_read("", "test \"\": a thread without operations");
    assert_read("( e | )", "test \"( e | )\": a thread without operations");
    assert_read("( e | d", "test \"( e | d\": \")\" expected at \"\"");
    assert_read("( e | d ) e",
                "test \"( e | d ) e\": nothing expected at \"e\"");
    assert_read("e | d", "test \"e | d\": nothing expected at \"| d\"");
    assert_read("e ''", "test \"e ''\": no operation at \"''\"; there are e, "
                        "d, a, al, rr, r");
    assert_read("( e ( d ) )",
                "test \"( e ( d ) )\": \")\" expected at \"( d ) )\"");
}

static void a_file_without_operations_has_no_test(void **unused)
{
    const struct lsl_program none = {0};
    struct arena a = ARENA_INIT;
    struct test t;
    struct err e;

    (void)unused;
    assert_false(lsl_parse_test(&none, "e", &a, &t, &e));
    assert_string_equal(e.text,
                        "test \"e\": no operation at \"e\"; there is none");
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tests_of_the_paper_are_read),
        cmocka_unit_test(the_longest_name_counts),
        cmocka_unit_test(a_test_of_the_file_goes_by_its_name),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(a_file_without_operations_has_no_test),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
