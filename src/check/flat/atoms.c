/* SPDX-License-Identifier: MIT
 *
 * What guards ask of values: is it true, is it undefined, are two the same?
 * The question is moved towards what is loaded and chosen as far as that is
 * free: "x == 0 is true" becomes "x is defined, and not true", so that
 * branches that ask the same thing in other words share an atom.
 */
#include "flat/flat_inside.h"

static uint32_t atom(struct values *v, enum flat_op op, uint32_t a, uint32_t b)
{
    return values_add(v,
                      &(struct flat_value){.op = (uint8_t)op, .a = a, .b = b});
}

static uint32_t either(struct values *v, uint32_t guard, uint32_t then,
                       uint32_t otherwise)
{
    bool aside = v->aside;
    uint32_t one, other, result;

    v->aside = true;
    one = guard_and(v, guard, then);
    other = guard_and(v, guard_not(v, guard), otherwise);
    result = guard_or(v, one, other);
    v->aside = aside;
    return result;
}

static uint32_t either_of(struct values *v, const struct flat_value *x,
                          uint32_t (*of)(struct values *v, uint32_t value))
{
    uint32_t then = of(v, x->b);

    return either(v, x->a, then, of(v, x->c));
}

static bool is_integer(const struct values *v, uint32_t value, uint64_t n)
{
    struct lsl_value c;

    return values_is(v, value, &c) && lsl_equal(c, LSL_INT(n));
}

/* Arguments with effects are computed one after the other, so that numbers do
 * not depend on the compiler. */
static uint32_t defined_and_not(struct values *v, uint32_t defined,
                                uint32_t truth)
{
    uint32_t first = guard_not(v, guard_undefined(v, defined));

    return guard_and(v, first, guard_not(v, guard_truth(v, truth)));
}

static uint32_t both(struct values *v, uint32_t a, uint32_t b,
                     uint32_t (*of)(struct values *v, uint32_t value))
{
    uint32_t first = of(v, a);

    return guard_and(v, first, of(v, b));
}

static uint32_t truth_of_pure(struct values *v, uint32_t value)
{
    struct flat_value x = v->list[value];

    switch (x.pure) {
    case PURE_ZEXT:
    case PURE_SEXT:
        return guard_truth(v, x.a);
    case PURE_NE:
        if (is_integer(v, x.b, 0))
            return guard_truth(v, x.a);
        /* Of comparisons the positive one is the atom. */
        return defined_and_not(
            v, value, values_pure(v, PURE_EQ, 1, x.in_width, x.a, x.b));
    case PURE_EQ:
        if (is_integer(v, x.b, 0))
            return defined_and_not(v, x.a, x.a);
        break;
    case PURE_AND:
        if (x.width == 1)
            return both(v, x.a, x.b, guard_truth);
        break;
    default:
        break;
    }
    return atom(v, FLAT_TRUTH, value, 0);
}

static uint32_t truth_of(struct values *v, uint32_t value)
{
    struct flat_value x = v->list[value];

    switch (x.op) {
    case FLAT_CONSTANT:
        return x.constant.kind == LSL_POINTER ||
                       (x.constant.kind == LSL_INTEGER && x.constant.bits)
                   ? FLAT_TRUE
                   : FLAT_FALSE;
    case FLAT_ITE:
        return either_of(v, &x, guard_truth);
    case FLAT_PURE:
        return truth_of_pure(v, value);
    default:
        return atom(v, FLAT_TRUTH, value, 0);
    }
}

uint32_t guard_truth(struct values *v, uint32_t value)
{
    if (!v->notes.list[value].truth) {
        uint32_t truth = truth_of(v, value);

        v->notes.list[value].truth = truth;
    }
    return v->notes.list[value].truth;
}

/* Is its result defined whenever its operands are?  A value of less than 64
 * bits is no pointer. */
static bool is_total(const struct values *v, const struct flat_value *x)
{
    struct lsl_value c = {.kind = LSL_UNDEFINED};
    bool constant = x->b && values_is(v, x->b, &c) && c.kind == LSL_INTEGER;

    switch (x->pure) {
    case PURE_UDIV:
    case PURE_SDIV:
    case PURE_UREM:
    case PURE_SREM:
        return false;
    case PURE_SHL:
    case PURE_LSHR:
    case PURE_ASHR:
        return x->width < 64 && constant && c.bits < x->width;
    case PURE_ADD:
        return x->width < 64 || constant;
    case PURE_AND:
        return x->width < 64 || (constant && (c.bits < 16 || ~c.bits < 16));
    case PURE_OR:
    case PURE_XOR:
        return x->width < 64 || (constant && c.bits < 16);
    case PURE_SUB:
    case PURE_MUL:
        return x->width < 64;
    case PURE_TRUNC:
        return x->in_width < 64;
    default:
        return true; /* comparisons, extensions */
    }
}

static uint32_t undefined_of(struct values *v, uint32_t value)
{
    struct flat_value x = v->list[value];

    switch (x.op) {
    case FLAT_CONSTANT:
        return x.constant.kind == LSL_UNDEFINED ? FLAT_TRUE : FLAT_FALSE;
    case FLAT_CHOSEN:
        return FLAT_FALSE;
    case FLAT_ITE:
        return either_of(v, &x, guard_undefined);
    case FLAT_PURE:
        if (is_total(v, &x)) {
            uint32_t left = guard_undefined(v, x.a);

            return x.b ? guard_or(v, left, guard_undefined(v, x.b)) : left;
        }
        break;
    default:
        break;
    }
    return atom(v, FLAT_IS_UNDEFINED, value, 0);
}

uint32_t guard_undefined(struct values *v, uint32_t value)
{
    if (!v->notes.list[value].undefined) {
        uint32_t undefined = undefined_of(v, value);

        v->notes.list[value].undefined = undefined;
    }
    return v->notes.list[value].undefined;
}

/* Choices on which one side is decided are looked into. */
static uint32_t same_as_ite(struct values *v, uint32_t a, uint32_t b)
{
    struct flat_value x = v->list[a], y = v->list[b];
    bool decided = x.b == b || x.c == b;
    uint32_t then;

    if (x.op != FLAT_ITE)
        return 0;
    if (y.op == FLAT_CONSTANT)
        decided |= v->list[x.b].op == FLAT_CONSTANT ||
                   v->list[x.c].op == FLAT_CONSTANT;
    if (!decided)
        return 0;
    then = guard_same(v, x.b, b);
    return either(v, x.a, then, guard_same(v, x.c, b));
}

uint32_t guard_same(struct values *v, uint32_t a, uint32_t b)
{
    uint32_t g;

    if (a == b)
        return FLAT_TRUE;
    if (v->list[a].op == FLAT_CONSTANT && v->list[b].op == FLAT_CONSTANT)
        return FLAT_FALSE;
    if ((g = same_as_ite(v, a, b)) || (g = same_as_ite(v, b, a)))
        return g;
    return a < b ? atom(v, FLAT_SAME, a, b) : atom(v, FLAT_SAME, b, a);
}

uint32_t guard_equals(struct values *v, uint32_t value, unsigned width,
                      struct lsl_value c)
{
    return guard_truth(
        v, values_pure(v, PURE_EQ, 1, width, value, values_constant(v, c)));
}
