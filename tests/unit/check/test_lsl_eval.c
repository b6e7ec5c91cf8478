/* SPDX-License-Identifier: MIT
 *
 * Arithmetic of the load-store language: integers against the compiler's own,
 * pointers against what their head comment promises.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lsl/lsl.h"

static const struct lsl_value undefined = {LSL_UNDEFINED, 0, 0};

static struct lsl_value pointer(uint32_t base, int64_t offset)
{
    return (struct lsl_value){LSL_POINTER, base, (uint64_t)offset};
}

static struct lsl_value eval(enum lsl_pure op, unsigned width,
                             struct lsl_value a, struct lsl_value b)
{
    struct lsl_value out;
    bool compares = op >= PURE_EQ && op <= PURE_SLE;

    assert_int_equal(lsl_eval(op, compares ? 1 : width, width, a, b, &out),
                     LSL_FINE);
    return out;
}

static void assert_value(struct lsl_value got, struct lsl_value want)
{
    assert_int_equal(got.kind, want.kind);
    assert_int_equal(got.base, want.base);
    assert_int_equal(got.bits, want.bits);
}

static enum lsl_fault fault(enum lsl_pure op, unsigned width,
                            struct lsl_value a, struct lsl_value b)
{
    struct lsl_value out;
    enum lsl_fault f = lsl_eval(op, width, width, a, b, &out);

    assert_int_equal(out.kind, LSL_UNDEFINED);
    return f;
}

static uint64_t state = 88172645463325252ull;

/* Small numbers, numbers near the edges, and any. */
static uint64_t any(void)
{
    static const uint64_t edges[] = {0,      1,          2,          7,
                                     0x7f,   0x80,       0xff,       0x7fff,
                                     0x8000, 0xffff,     0x7fffffff, 0x80000000,
                                     ~0ull,  1ull << 63, ~0ull >> 1};

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    if (state % 4 == 0)
        return edges[state / 4 % (sizeof(edges) / sizeof(*edges))];
    return state % 4 == 1 ? state >> 8 & 15 : state >> 2;
}

/* Each operation as C has it for that pair of types. */
#define CHECK_OP(op, result)                                                   \
    assert_value(eval(op, bits, LSL_INT(a), LSL_INT(b)),                       \
                 LSL_INT((uint64_t)(result)))

#define CHECK_TYPES(unsigned_type, signed_type)                                \
    for (int i = 0; i < 20000; i++) {                                          \
        unsigned bits = sizeof(unsigned_type) * 8;                             \
        unsigned_type a = (unsigned_type)any(), b = (unsigned_type)any();      \
        signed_type x = (signed_type)a, y = (signed_type)b;                    \
                                                                               \
        CHECK_OP(PURE_ADD, (unsigned_type)(a + b));                            \
        CHECK_OP(PURE_SUB, (unsigned_type)(a - b));                            \
        CHECK_OP(PURE_MUL, (unsigned_type)((uint64_t)a * b));                  \
        CHECK_OP(PURE_AND, (unsigned_type)(a & b));                            \
        CHECK_OP(PURE_OR, (unsigned_type)(a | b));                             \
        CHECK_OP(PURE_XOR, (unsigned_type)(a ^ b));                            \
        CHECK_OP(PURE_EQ, a == b);                                             \
        CHECK_OP(PURE_NE, a != b);                                             \
        CHECK_OP(PURE_ULT, a < b);                                             \
        CHECK_OP(PURE_ULE, a <= b);                                            \
        CHECK_OP(PURE_SLT, x < y);                                             \
        CHECK_OP(PURE_SLE, x <= y);                                            \
        if (b) {                                                               \
            CHECK_OP(PURE_UDIV, (unsigned_type)(a / b));                       \
            CHECK_OP(PURE_UREM, (unsigned_type)(a % b));                       \
        }                                                                      \
        if (b && y != -1) {                                                    \
            CHECK_OP(PURE_SDIV, (unsigned_type)(x / y));                       \
            CHECK_OP(PURE_SREM, (unsigned_type)(x % y));                       \
        }                                                                      \
        b = (unsigned_type)(b % bits);                                         \
        CHECK_OP(PURE_SHL, (unsigned_type)((uint64_t)a << b));                 \
        CHECK_OP(PURE_LSHR, (unsigned_type)(a >> b));                          \
        CHECK_OP(PURE_ASHR, (unsigned_type)(x >> b));                          \
    }

static void integers_are_as_in_c(void **unused)
{
    (void)unused;
    CHECK_TYPES(uint8_t, int8_t)
    CHECK_TYPES(uint16_t, int16_t)
    CHECK_TYPES(uint32_t, int32_t)
    CHECK_TYPES(uint64_t, int64_t)
}

/* -8 to 7, and what is cut to four bits. */
static void odd_widths_are_cut(void **unused)
{
    (void)unused;
    for (unsigned a = 0; a < 16; a++)
        for (unsigned b = 0; b < 16; b++) {
            int x = a < 8 ? (int)a : (int)a - 16;
            int y = b < 8 ? (int)b : (int)b - 16;
            struct lsl_value m = LSL_INT(a), n = LSL_INT(b);

            assert_value(eval(PURE_ADD, 4, m, n), LSL_INT((a + b) % 16));
            assert_value(eval(PURE_SUB, 4, m, n), LSL_INT((16 + a - b) % 16));
            assert_value(eval(PURE_MUL, 4, m, n), LSL_INT(a * b % 16));
            assert_value(eval(PURE_SLT, 4, m, n), LSL_INT(x < y));
            if (b && !(x == -8 && y == -1))
                assert_value(eval(PURE_SDIV, 4, m, n),
                             LSL_INT((unsigned)(x / y) % 16));
            if (b < 4)
                assert_value(eval(PURE_ASHR, 4, m, n),
                             LSL_INT((unsigned)(x >> b) % 16));
        }
    assert_value(eval(PURE_XOR, 1, LSL_INT(1), LSL_INT(1)), LSL_INT(0));
}

static void widths_change_as_in_c(void **unused)
{
    struct lsl_value out;

    (void)unused;
    for (int i = 0; i < 20000; i++) {
        uint64_t a = any();
        uint32_t narrow = (uint32_t)a;

        lsl_eval(PURE_TRUNC, 8, 64, LSL_INT(a), undefined, &out);
        assert_value(out, LSL_INT((uint8_t)a));
        lsl_eval(PURE_ZEXT, 64, 32, LSL_INT(narrow), undefined, &out);
        assert_value(out, LSL_INT(narrow));
        lsl_eval(PURE_SEXT, 64, 32, LSL_INT(narrow), undefined, &out);
        assert_value(out, LSL_INT((uint64_t)(int32_t)narrow));
        lsl_eval(PURE_SEXT, 32, 1, LSL_INT(a & 1), undefined, &out);
        assert_value(out, LSL_INT(a & 1 ? UINT32_MAX : 0));
    }
}

static void divisions_that_trap_are_faults(void **unused)
{
    (void)unused;
    for (int op = PURE_UDIV; op <= PURE_SREM; op++) {
        assert_int_equal(fault(op, 32, LSL_INT(5), LSL_INT(0)), LSL_BY_ZERO);
        assert_int_equal(fault(op, 32, undefined, LSL_INT(0)), LSL_BY_ZERO);
    }
    for (unsigned width = 1; width <= 64; width++) {
        struct lsl_value least = LSL_INT(1ull << (width - 1));
        struct lsl_value ones = LSL_INT(~0ull >> (64 - width));

        assert_int_equal(fault(PURE_SDIV, width, least, ones), LSL_BY_ZERO);
        assert_int_equal(fault(PURE_SREM, width, least, ones), LSL_BY_ZERO);
    }
}

static void undefined_spreads(void **unused)
{
    (void)unused;
    for (int op = 0; op < PURE_COUNT; op++) {
        assert_int_equal(fault(op, 64, undefined, LSL_INT(1)), LSL_FINE);
        if (lsl_pure_operands(op) == 2)
            assert_int_equal(fault(op, 64, LSL_INT(1), undefined), LSL_FINE);
    }
    assert_int_equal(fault(PURE_SHL, 32, LSL_INT(1), LSL_INT(32)), LSL_FINE);
    assert_int_equal(fault(PURE_ASHR, 8, LSL_INT(1), LSL_INT(200)), LSL_FINE);
}

static void pointers_move_inside_their_object(void **unused)
{
    struct lsl_value p = pointer(3, 24);

    (void)unused;
    assert_value(eval(PURE_ADD, 64, p, LSL_INT(8)), pointer(3, 32));
    assert_value(eval(PURE_ADD, 64, LSL_INT(8), p), pointer(3, 32));
    assert_value(eval(PURE_SUB, 64, p, LSL_INT(32)), pointer(3, -8));
    assert_value(eval(PURE_SUB, 64, p, pointer(3, 8)), LSL_INT(16));
    assert_value(eval(PURE_SUB, 64, pointer(3, 8), p), LSL_INT(-16ull));
    assert_int_equal(fault(PURE_SUB, 64, p, pointer(4, 8)), LSL_ON_POINTER);
    assert_int_equal(fault(PURE_SUB, 64, LSL_INT(8), p), LSL_ON_POINTER);
    assert_int_equal(fault(PURE_ADD, 64, p, p), LSL_ON_POINTER);
    assert_int_equal(fault(PURE_MUL, 64, p, LSL_INT(2)), LSL_ON_POINTER);
    assert_int_equal(fault(PURE_TRUNC, 32, p, LSL_INT(0)), LSL_ON_POINTER);
}

static void low_bits_carry_marks(void **unused)
{
    struct lsl_value p = pointer(3, 16), marked = pointer(3, 17);

    (void)unused;
    assert_value(eval(PURE_OR, 64, p, LSL_INT(1)), marked);
    assert_value(eval(PURE_OR, 64, LSL_INT(1), p), marked);
    assert_value(eval(PURE_XOR, 64, marked, LSL_INT(1)), p);
    assert_value(eval(PURE_XOR, 64, marked, p), LSL_INT(1));
    assert_value(eval(PURE_AND, 64, marked, LSL_INT(1)), LSL_INT(1));
    assert_value(eval(PURE_AND, 64, p, LSL_INT(1)), LSL_INT(0));
    assert_value(eval(PURE_AND, 64, marked, LSL_INT(~1ull)), p);
    assert_value(eval(PURE_AND, 64, LSL_INT(~15ull), pointer(3, 31)), p);
    assert_int_equal(fault(PURE_AND, 64, p, LSL_INT(16)), LSL_ON_POINTER);
    assert_int_equal(fault(PURE_AND, 64, p, LSL_INT(~16ull)), LSL_ON_POINTER);
    assert_int_equal(fault(PURE_OR, 64, p, LSL_INT(16)), LSL_ON_POINTER);
}

static void comparisons_of_pointers_are_total(void **unused)
{
    struct lsl_value null = LSL_INT(0), p = pointer(3, 8), q = pointer(4, 0);

    (void)unused;
    assert_value(eval(PURE_EQ, 64, p, p), LSL_INT(1));
    assert_value(eval(PURE_EQ, 64, p, null), LSL_INT(0));
    assert_value(eval(PURE_NE, 64, p, q), LSL_INT(1));
    assert_value(eval(PURE_EQ, 64, p, LSL_INT(8)), LSL_INT(0));
    assert_value(eval(PURE_ULT, 64, p, q), LSL_INT(1));
    assert_value(eval(PURE_ULT, 64, q, p), LSL_INT(0));
    assert_value(eval(PURE_ULT, 64, LSL_INT(~0ull), p), LSL_INT(1));
    assert_value(eval(PURE_SLE, 64, p, LSL_INT(5)), LSL_INT(0));
    assert_value(eval(PURE_ULT, 64, pointer(3, -8), p), LSL_INT(1));
    assert_value(eval(PURE_ULE, 64, p, p), LSL_INT(1));
}

/* The lower `low` bits are a's, those above b's. */
static struct lsl_value join(unsigned width, unsigned low, struct lsl_value a,
                             struct lsl_value b)
{
    struct lsl_value out;

    assert_int_equal(lsl_eval(PURE_JOIN, width, low, a, b, &out), LSL_FINE);
    return out;
}

static void bytes_come_apart_and_together(void **unused)
{
    struct lsl_value n = LSL_INT(0x1122334455667788);

    (void)unused;
    assert_value(eval(PURE_PART, 8, n, LSL_INT(0)), LSL_INT(0x88));
    assert_value(eval(PURE_PART, 24, n, LSL_INT(3)), LSL_INT(0x334455));
    assert_value(eval(PURE_PART, 64, n, LSL_INT(0)), n);
    assert_value(join(64, 24, LSL_INT(0x667788), LSL_INT(0x1122334455)), n);
    assert_value(join(16, 8, LSL_INT(1), LSL_INT(2)), LSL_INT(0x201));
}

static void bytes_that_are_known_stay_known(void **unused)
{
    struct lsl_value half = join(64, 32, LSL_INT(0x55667788), undefined);

    (void)unused;
    assert_int_equal(half.kind, LSL_UNDEFINED);
    assert_value(eval(PURE_PART, 32, half, LSL_INT(0)), LSL_INT(0x55667788));
    assert_value(eval(PURE_PART, 16, half, LSL_INT(4)), undefined);
    assert_value(eval(PURE_TRUNC, 16, half, undefined), LSL_INT(0x7788));
    assert_value(
        eval(PURE_PART, 32, eval(PURE_LSHR, 64, half, LSL_INT(8)), LSL_INT(4)),
        (struct lsl_value){LSL_UNDEFINED, 8, 0});
    assert_value(
        join(64, 32, eval(PURE_TRUNC, 32, half, undefined), LSL_INT(1)),
        LSL_INT(0x155667788));
    assert_value(eval(PURE_AND, 64, half, LSL_INT(0xffff)), LSL_INT(0x7788));
    assert_value(eval(PURE_OR, 64, half, LSL_INT(~0ull << 32)),
                 LSL_INT(0xffffffff55667788));
    assert_value(eval(PURE_ADD, 64, half, LSL_INT(1)), undefined);
    assert_value(eval(PURE_EQ, 64, half, LSL_INT(1)), undefined);
}

static void a_pointer_has_no_parts(void **unused)
{
    struct lsl_value p = pointer(3, 16);

    (void)unused;
    assert_value(eval(PURE_PART, 64, p, LSL_INT(0)), p);
    assert_int_equal(fault(PURE_PART, 32, p, LSL_INT(0)), LSL_ON_POINTER);
}

static void values_are_written_shortly(void **unused)
{
    struct buf out = {0};

    (void)unused;
    lsl_put_value(LSL_INT(3), &out);
    buf_putc(&out, ' ');
    lsl_put_value(pointer(2, 8), &out);
    buf_putc(&out, ' ');
    lsl_put_value(pointer(2, 0), &out);
    buf_putc(&out, ' ');
    lsl_put_value(pointer(2, -8), &out);
    buf_putc(&out, ' ');
    lsl_put_value(undefined, &out);
    assert_string_equal(out.bytes, "3 #2+8 #2 #2-8 ?");
    buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_as_in_c),
        cmocka_unit_test(odd_widths_are_cut),
        cmocka_unit_test(widths_change_as_in_c),
        cmocka_unit_test(divisions_that_trap_are_faults),
        cmocka_unit_test(undefined_spreads),
        cmocka_unit_test(pointers_move_inside_their_object),
        cmocka_unit_test(low_bits_carry_marks),
        cmocka_unit_test(comparisons_of_pointers_are_total),
        cmocka_unit_test(bytes_come_apart_and_together),
        cmocka_unit_test(bytes_that_are_known_stay_known),
        cmocka_unit_test(a_pointer_has_no_parts),
        cmocka_unit_test(values_are_written_shortly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
