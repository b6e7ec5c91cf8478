/* SPDX-License-Identifier: MIT
 *
 * The arithmetic of read-modify-writes against the compiler's own atomics.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

/* The runtime is not part of the tool, so its file comes along. */
#include "graph/rmw.c"

static uint64_t run(enum rmw_op op, unsigned size, uint64_t a, uint64_t b)
{
    uint64_t m[2] = {a, 0}, o[2] = {b, 0};

    rmw_apply(op, size, m, o);
    assert_int_equal(m[1], 0);
    return m[0];
}

static void results_are_cut_to_size(void **state)
{
    (void)state;
    assert_int_equal(run(RMW_ADD, 1, 0xff, 1), 0);
    assert_int_equal(run(RMW_SUB, 2, 0, 1), 0xffff);
    assert_int_equal(run(RMW_NAND, 4, 0xffffffff, 0xf), 0xfffffff0);
    assert_int_equal(run(RMW_ADD, 8, UINT64_MAX, 2), 1);
    assert_int_equal(run(RMW_XCHG, 4, 7, 9), 9);
}

static void signs_matter_to_max_and_min_only(void **state)
{
    (void)state;
    assert_int_equal(run(RMW_MAX, 1, 0xff, 1), 1);
    assert_int_equal(run(RMW_UMAX, 1, 0xff, 1), 0xff);
    assert_int_equal(run(RMW_MIN, 4, 0x80000000, 5), 0x80000000);
    assert_int_equal(run(RMW_UMIN, 4, 0x80000000, 5), 5);
}

static void sixteen_bytes_carry(void **state)
{
    uint64_t m[2] = {UINT64_MAX, 1}, o[2] = {1, 0};

    (void)state;
    rmw_apply(RMW_ADD, 16, m, o);
    assert_int_equal(m[0], 0);
    assert_int_equal(m[1], 2);
}

static void floats_add_as_floats(void **state)
{
    float f = 1.5f, g = 2.25f;
    double d = 1e100, e = -1e100;
    uint64_t m[2] = {0, 0}, o[2] = {0, 0};

    (void)state;
    memcpy(m, &f, 4);
    memcpy(o, &g, 4);
    rmw_apply(RMW_FADD, 4, m, o);
    memcpy(&f, m, 4);
    assert_true(f == 3.75f);
    memcpy(m, &d, 8);
    memcpy(o, &e, 8);
    rmw_apply(RMW_FSUB, 8, m, o);
    memcpy(&d, m, 8);
    assert_true(d == 2e100);
}

static void counters_wrap_at_their_bound(void **state)
{
    (void)state;
    assert_int_equal(run(RMW_UINC, 4, 5, 5), 0);
    assert_int_equal(run(RMW_UINC, 4, 4, 5), 5);
    assert_int_equal(run(RMW_UDEC, 4, 0, 5), 5);
    assert_int_equal(run(RMW_UDEC, 4, 3, 5), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_cut_to_size),
        cmocka_unit_test(signs_matter_to_max_and_min_only),
        cmocka_unit_test(sixteen_bytes_carry),
        cmocka_unit_test(floats_add_as_floats),
        cmocka_unit_test(counters_wrap_at_their_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
