/* SPDX-License-Identifier: MIT
 *
 * What may be said after what was done: all 256 cases.
 */
#include "session/answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct done case_of(unsigned bits)
{
    return (struct done){.started = bits & 1,
                         .exhausted = bits & 2,
                         .ended = bits & 4,
                         .cut = bits & 8,
                         .unfinished = bits & 16,
                         .failed = bits & 32,
                         .left_sc = bits & 64,
                         .only_sc = bits & 128};
}

static void nothing_done_is_unknown(void **unused)
{
    struct done none = {0};
    struct answers a = answers_of(&none);

    (void)unused;
    assert_int_equal(a.property_broken, ANSWER_UNKNOWN);
    assert_int_equal(a.sc_violation, ANSWER_UNKNOWN);
    assert_false(a.complete);
    assert_true(answers_are_open(&none));
}

static void no_needs_all_of_it(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 256; i++) {
        struct done d = case_of(i);
        struct answers a = answers_of(&d);
        bool all = d.started && d.exhausted && d.ended && !d.cut;

        assert_int_equal(a.complete, all);
        assert_int_equal(a.property_broken == ANSWER_NO, all && !d.failed);
        assert_int_equal(a.property_broken == ANSWER_YES, d.failed);
        assert_int_equal(a.sc_violation == ANSWER_NO, d.only_sc && !d.left_sc);
    }
}

static void a_failure_ends_the_question(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 256; i++) {
        struct done d = case_of(i);
        bool done = d.started && d.ended && !d.unfinished;

        assert_int_equal(answers_are_open(&d), !d.failed && !done);
    }
}

/* Joining claims nothing that one of the two does not. */
static void joined_says_no_more_than_each(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 256 * 256; i++) {
        struct done x = case_of(i & 255), y = case_of(i >> 8), both = x;

        done_join(&both, &y);

        struct answers a = answers_of(&x), b = answers_of(&y);
        struct answers c = answers_of(&both);

        assert_int_equal(c.complete, a.complete && b.complete);
        assert_int_equal(c.property_broken == ANSWER_YES, x.failed || y.failed);
        if (c.property_broken == ANSWER_NO)
            assert_true(a.property_broken == ANSWER_NO &&
                        b.property_broken == ANSWER_NO);
        if (!x.failed && !y.failed)
            assert_int_equal(answers_are_open(&both),
                             answers_are_open(&x) || answers_are_open(&y));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_done_is_unknown),
        cmocka_unit_test(no_needs_all_of_it),
        cmocka_unit_test(a_failure_ends_the_question),
        cmocka_unit_test(joined_says_no_more_than_each),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
