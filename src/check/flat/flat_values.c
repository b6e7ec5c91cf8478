/* SPDX-License-Identifier: MIT
 *
 * Values are kept once: the same operation on the same operands is the same
 * number.  What can be folded is folded when a value is made, so that loops
 * with constant bounds unroll by themselves and branches on constants vanish.
 * An operand always has a smaller number than what is computed from it.
 *
 * All constants have width 64: an integer is cut to its width already.
 */
#include "flat/flat_inside.h"

/* ---- The table ---- */

static uint64_t hash_of(const struct flat_value *x)
{
    uint64_t words[] = {
        (uint64_t)x->op | (uint64_t)x->pure << 8 | (uint64_t)x->width << 16 |
            (uint64_t)x->in_width << 24,
        x->a | (uint64_t)x->b << 32, x->c | (uint64_t)x->constant.kind << 32,
        x->constant.base, x->constant.bits};
    uint64_t hash = 0;

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        hash = flat_mix(hash, words[i]);
    return hash;
}

static bool equal(const struct flat_value *x, const struct flat_value *y)
{
    return x->op == y->op && x->pure == y->pure && x->width == y->width &&
           x->in_width == y->in_width && x->a == y->a && x->b == y->b &&
           x->c == y->c && lsl_equal(x->constant, y->constant);
}

static bool is_value(const void *values, uint32_t number, const void *key)
{
    return equal(&((const struct values *)values)->list[number + 1], key);
}

uint32_t values_find(const struct values *v, const struct flat_value *value)
{
    return index_find(&v->index, hash_of(value), is_value, v, value) + 1;
}

/* SSA: an operand is there before what is computed from it, and a value is
 * never changed. */
static void check_operands(const struct values *v, const struct flat_value *x)
{
    if (x->op != FLAT_LOADED && x->op != FLAT_CHOSEN)
        CHECK(x->a < v->count && x->b < v->count && x->c < v->count);
}

uint32_t values_add(struct values *v, const struct flat_value *value)
{
    uint32_t n = index_put(&v->index, hash_of(value), is_value, v, value) + 1;

    if (n < v->count)
        return n;
    CHECK(n == v->count);
    check_operands(v, value);
    VEC_PUSH_IN(v->arena, v, *value);
    VEC_PUSH_IN(v->arena, &v->notes,
                {.depth = value->op == FLAT_AND
                              ? v->notes.list[value->a].depth + 1
                              : 1});
    return n;
}

void values_init(struct values *v, struct arena *a)
{
    *v = (struct values){.arena = a, .index.arena = a};
    (void)VEC_ADD_IN(a, v); /* 0 is no value */
    (void)VEC_ADD_IN(a, &v->notes);
    CHECK(values_add(v, &(struct flat_value){.op = FLAT_TRUE_GUARD}) ==
          FLAT_TRUE);
    v->notes.list[FLAT_TRUE].depth = 0;
    CHECK(values_add(v, &(struct flat_value){.op = FLAT_NOT, .a = FLAT_TRUE}) ==
          FLAT_FALSE);
    v->notes.list[FLAT_TRUE].negation = FLAT_FALSE;
    v->marked[0] = v->marked[1] = FLAT_TRUE;
}

/* ---- Constants ---- */

uint32_t values_constant(struct values *v, struct lsl_value c)
{
    return values_add(v, &(struct flat_value){
                             .op = FLAT_CONSTANT, .width = 64, .constant = c});
}

uint32_t values_integer(struct values *v, uint64_t n)
{
    return values_constant(v, LSL_INT(n));
}

bool values_is(const struct values *v, uint32_t value, struct lsl_value *out)
{
    *out = v->list[value].constant;
    return v->list[value].op == FLAT_CONSTANT;
}

static bool is_constant(const struct values *v, uint32_t value)
{
    return v->list[value].op == FLAT_CONSTANT;
}

static bool is_integer(const struct values *v, uint32_t value, uint64_t n)
{
    return is_constant(v, value) &&
           lsl_equal(v->list[value].constant, LSL_INT(n));
}

/* ---- Choices between values ---- */

uint32_t values_ite(struct values *v, uint32_t guard, uint32_t a, uint32_t b)
{
    const struct flat_value *x;

    if (v->list[guard].op == FLAT_NOT && guard != FLAT_FALSE)
        return values_ite(v, v->list[guard].a, b, a);
    x = &v->list[a];
    if (x->op == FLAT_ITE && x->a == guard)
        a = x->b;
    x = &v->list[b];
    if (x->op == FLAT_ITE && x->a == guard)
        b = x->c;
    if (a == b || guard == FLAT_TRUE)
        return a;
    if (guard == FLAT_FALSE)
        return b;

    unsigned width = is_constant(v, a) ? v->list[b].width : v->list[a].width;

    return values_add(v, &(struct flat_value){.op = FLAT_ITE,
                                              .width = (uint8_t)width,
                                              .a = guard,
                                              .b = a,
                                              .c = b});
}

/* How many constants an ITE chooses from, `most` + 1 if more, or if there is
 * anything else among them. */
static unsigned constants_in(const struct values *v, uint32_t value,
                             unsigned most)
{
    const struct flat_value *x = &v->list[value];
    unsigned left, right;

    if (x->op == FLAT_CONSTANT)
        return 1;
    if (x->op != FLAT_ITE)
        return most + 1;
    left = constants_in(v, x->b, most);
    if (left > most)
        return left;
    right = constants_in(v, x->c, most - left);
    return right > most - left ? most + 1 : left + right;
}

/* ---- Operations ---- */

struct pure {
    enum lsl_pure op;
    unsigned width, in_width;
    uint32_t a, b;
};

static uint32_t make(struct values *v, struct pure p)
{
    return values_pure(v, p.op, p.width, p.in_width, p.a, p.b);
}

static bool is_comparison(unsigned op)
{
    return op >= PURE_EQ && op <= PURE_SLE;
}

static bool is_of_bytes(enum lsl_pure op)
{
    return op == PURE_PART || op == PURE_JOIN;
}

/* May it be defined although an operand is not? */
static bool mends(enum lsl_pure op)
{
    return op == PURE_JOIN || op == PURE_AND || op == PURE_OR;
}

static bool is_commutative(enum lsl_pure op)
{
    return op == PURE_ADD || op == PURE_MUL || op == PURE_AND ||
           op == PURE_OR || op == PURE_XOR || op == PURE_EQ || op == PURE_NE;
}

/* Constants to the right, the rest by number; a difference becomes a sum. */
static void order(struct values *v, struct pure *p)
{
    struct lsl_value c;

    if (is_commutative(p->op) &&
        (is_constant(v, p->a) > is_constant(v, p->b) ||
         (is_constant(v, p->a) == is_constant(v, p->b) && p->a > p->b))) {
        uint32_t a = p->a;

        p->a = p->b;
        p->b = a;
    }
    if (p->op == PURE_SUB && values_is(v, p->b, &c) && c.kind == LSL_INTEGER) {
        lsl_eval(PURE_SUB, p->width, p->width, LSL_INT(0), c, &c);
        p->op = PURE_ADD;
        p->b = values_constant(v, c);
    }
    if (p->op == PURE_XOR && p->width == 1 && is_integer(v, p->b, 1))
        *p = (struct pure){PURE_EQ, 1, 1, p->a, values_integer(v, 0)};
}

/* Bytes of bytes. */
static uint32_t taken(struct values *v, struct flat_value x, unsigned width,
                      uint64_t at)
{
    struct lsl_value c;

    if (x.pure == PURE_PART && values_is(v, x.b, &c))
        return values_pure(v, PURE_PART, width, width, x.a,
                           values_integer(v, c.bits + at));
    if (x.pure == PURE_JOIN && 8 * at + width <= x.in_width)
        return values_pure(v, PURE_PART, width, width, x.a,
                           values_integer(v, at));
    if (x.pure == PURE_JOIN && 8 * at >= x.in_width)
        return values_pure(v, PURE_PART, width, width, x.b,
                           values_integer(v, at - x.in_width / 8));
    return 0;
}

/* Two neighbours of one value are more of it. */
static uint32_t joined(struct values *v, struct pure p)
{
    struct flat_value x = v->list[p.a], y = v->list[p.b];
    struct lsl_value from, to;

    if (p.op != PURE_JOIN || x.op != FLAT_PURE || y.op != FLAT_PURE ||
        x.pure != PURE_PART || y.pure != PURE_PART || x.a != y.a ||
        !values_is(v, x.b, &from) || !values_is(v, y.b, &to) ||
        to.bits != from.bits + p.in_width / 8)
        return 0;
    return values_pure(v, PURE_PART, p.width, p.width, x.a, x.b);
}

/* Operations that change nothing; 0 if it is none. */
static uint32_t neutral(struct values *v, struct pure p)
{
    uint64_t ones = p.width < 64 ? (1ull << p.width) - 1 : UINT64_MAX;

    switch (p.op) {
    case PURE_ADD:
    case PURE_SUB:
    case PURE_OR:
    case PURE_XOR:
    case PURE_SHL:
    case PURE_LSHR:
    case PURE_ASHR:
        return is_integer(v, p.b, 0) ? p.a : 0;
    case PURE_MUL:
        return is_integer(v, p.b, 1) ? p.a : 0;
    case PURE_AND:
        return is_integer(v, p.b, ones) ? p.a : 0;
    case PURE_NE:
        return p.in_width == 1 && is_integer(v, p.b, 0) ? p.a : 0;
    case PURE_PART:
        return is_integer(v, p.b, 0) && v->list[p.a].width == p.width ? p.a : 0;
    case PURE_JOIN:
        return joined(v, p);
    default:
        return 0;
    }
}

/* "Is this comparison false?" is another comparison. */
static uint32_t turned(struct values *v, struct flat_value x)
{
    switch (x.pure) {
    case PURE_EQ:
        return values_pure(v, PURE_NE, 1, x.in_width, x.a, x.b);
    case PURE_NE:
        return values_pure(v, PURE_EQ, 1, x.in_width, x.a, x.b);
    case PURE_ULT:
        return values_pure(v, PURE_ULE, 1, x.in_width, x.b, x.a);
    case PURE_ULE:
        return values_pure(v, PURE_ULT, 1, x.in_width, x.b, x.a);
    case PURE_SLT:
        return values_pure(v, PURE_SLE, 1, x.in_width, x.b, x.a);
    default:
        return values_pure(v, PURE_SLT, 1, x.in_width, x.b, x.a);
    }
}

static uint32_t resized(struct values *v, struct flat_value x, unsigned width)
{
    if (width == x.in_width)
        return x.a;
    if (width < x.in_width)
        return values_pure(v, PURE_TRUNC, width, x.in_width, x.a, 0);
    return values_pure(v, (enum lsl_pure)x.pure, width, x.in_width, x.a, 0);
}

/* An operation on an operation; 0 if that stays as it is. */
static uint32_t nested(struct values *v, struct pure p)
{
    struct flat_value x = v->list[p.a];
    bool extends, against_zero;
    struct lsl_value at;

    if (x.op != FLAT_PURE)
        return 0;
    if (p.op == PURE_PART && values_is(v, p.b, &at))
        return taken(v, x, p.width, at.bits);
    if (p.op == PURE_TRUNC && x.pure == PURE_JOIN && p.width % 8 == 0)
        return taken(v, x, p.width, 0);
    extends = x.pure == PURE_ZEXT || x.pure == PURE_SEXT;
    against_zero = is_comparison(p.op) && is_integer(v, p.b, 0);
    if (p.op == PURE_TRUNC && extends)
        return resized(v, x, p.width);
    if (p.op == PURE_ZEXT && x.pure == PURE_ZEXT)
        return resized(v, x, p.width);
    if (p.op == PURE_EQ && against_zero && is_comparison(x.pure))
        return turned(v, x);
    if ((p.op == PURE_EQ || p.op == PURE_NE) && against_zero && extends)
        return values_pure(v, p.op, 1, x.in_width, x.a, p.b);
    if (p.op == PURE_ADD && x.pure == PURE_ADD && is_constant(v, p.b) &&
        is_constant(v, x.b))
        return values_pure(
            v, PURE_ADD, p.width, p.width, x.a,
            values_pure(v, PURE_ADD, p.width, p.width, x.b, p.b));
    return 0;
}

/* An operation on a choice between constants is a choice between results; a
 * comparison with one of them already is worth it.  0: neither. */
static uint32_t pushed(struct values *v, struct pure p)
{
    bool right = !is_constant(v, p.b) && v->list[p.b].op == FLAT_ITE;
    struct flat_value x = v->list[right ? p.b : p.a];
    struct pure then = p, otherwise = p;

    if (x.op != FLAT_ITE || !is_constant(v, right ? p.a : p.b))
        return 0;
    if (constants_in(v, right ? p.b : p.a, 16) > 16 &&
        !(is_comparison(p.op) && (is_constant(v, x.b) || is_constant(v, x.c))))
        return 0;
    *(right ? &then.b : &then.a) = x.b;
    *(right ? &otherwise.b : &otherwise.a) = x.c;

    uint32_t a = make(v, then), b = make(v, otherwise);

    return values_ite(v, x.a, a, b);
}

static uint32_t folded(struct values *v, struct pure p)
{
    struct lsl_value a, b, out;
    bool left = values_is(v, p.a, &a), right = values_is(v, p.b, &b);
    bool both = left && right;

    if (!both && (mends(p.op) || (!(left && a.kind == LSL_UNDEFINED) &&
                                  !(right && b.kind == LSL_UNDEFINED))))
        return 0;
    if (both &&
        lsl_eval(p.op, p.width, p.in_width, a, b, &out) == LSL_ON_POINTER &&
        is_of_bytes(p.op))
        return 0; /* is named if it is ever asked for */
    if (!both)
        out = (struct lsl_value){.kind = LSL_UNDEFINED};
    return values_constant(v, out);
}

uint32_t values_pure(struct values *v, enum lsl_pure op, unsigned width,
                     unsigned in_width, uint32_t a, uint32_t b)
{
    struct pure p = {op, width, in_width, a, b};
    uint32_t result;

    if (lsl_pure_operands(op) == 1)
        p.b = values_integer(v, 0); /* so that all look alike */
    else if (!is_comparison(op) && op != PURE_JOIN)
        p.in_width = width;
    order(v, &p);
    if ((result = folded(v, p)) || (result = neutral(v, p)) ||
        (result = nested(v, p)) || (result = pushed(v, p)))
        return result;
    return values_add(
        v, &(struct flat_value){.op = FLAT_PURE,
                                .pure = (uint8_t)p.op,
                                .width = (uint8_t)p.width,
                                .in_width = (uint8_t)p.in_width,
                                .a = p.a,
                                .b = lsl_pure_operands(p.op) == 1 ? 0 : p.b});
}

/* ---- All constants it may be ---- */

static bool collect(struct values *v, uint32_t value, uint32_t guard,
                    struct option *out, unsigned *count);

static bool collect_pure(struct values *v, struct flat_value x, uint32_t guard,
                         struct option *out, unsigned *count)
{
    unsigned first = *count;
    struct lsl_value c;
    bool right;

    if (lsl_pure_operands((enum lsl_pure)x.pure) == 1)
        x.b = values_integer(v, 0);
    right = values_is(v, x.a, &c);
    if (!right && !values_is(v, x.b, &c))
        return false;
    if (!collect(v, right ? x.b : x.a, guard, out, count))
        return false;
    for (unsigned i = first; i < *count; i++) {
        struct lsl_value from = out[i].constant;

        if (lsl_eval((enum lsl_pure)x.pure, x.width, x.in_width,
                     right ? c : from, right ? from : c,
                     &out[i].constant) == LSL_ON_POINTER &&
            is_of_bytes((enum lsl_pure)x.pure))
            return false;
    }
    return true;
}

static bool collect(struct values *v, uint32_t value, uint32_t guard,
                    struct option *out, unsigned *count)
{
    struct flat_value x = v->list[value];

    if (guard == FLAT_FALSE)
        return true;
    if (x.op == FLAT_ITE)
        return collect(v, x.b, guard_and(v, guard, x.a), out, count) &&
               collect(v, x.c, guard_and(v, guard, guard_not(v, x.a)), out,
                       count);
    if (x.op == FLAT_PURE)
        return collect_pure(v, x, guard, out, count);
    if (x.op != FLAT_CONSTANT || *count == MAX_OPTIONS)
        return false;
    out[(*count)++] = (struct option){guard, x.constant};
    return true;
}

bool values_options(struct values *v, uint32_t value, struct option *out,
                    unsigned *count)
{
    bool aside = v->aside, good;

    *count = 0;
    v->aside = true;
    good = collect(v, value, FLAT_TRUE, out, count);
    v->aside = aside;
    return good;
}
