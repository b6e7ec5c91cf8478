/* SPDX-License-Identifier: MIT
 *
 * Values as literals, one for each item of the range ("one-hot":
 * fewer variables are possible, but the solver is not faster with them).
 * Literals are shared wherever an operation only renames: p + 8 has those of
 * p, p == NULL is one of them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "encode/encode_inside.h"

static const struct range *range_of(const struct encoding *x, uint32_t value)
{
    return &x->ranges.of[value];
}

static int *new_lits(struct encoding *x, uint32_t count)
{
    return arena_array(&x->arena, count ? count : 1, sizeof(int));
}

/* Literals of which exactly one holds. */
static int *free_lits(struct encoding *x, uint32_t count)
{
    int *lits = new_lits(x, count);

    if (count == 0) /* never executed */
        return lits;
    if (count == 1) {
        lits[0] = LIT_TRUE;
    } else if (count == 2) {
        lits[0] = solver_new_lit(x->solver);
        lits[1] = -lits[0];
    } else {
        for (uint32_t i = 0; i < count; i++)
            lits[i] = solver_new_lit(x->solver);
        solver_exactly_one(x->solver, lits, count);
    }
    return lits;
}

int value_is(struct encoding *x, uint32_t value, struct lsl_value v)
{
    int i = range_find(range_of(x, value), v);

    return i < 0 ? LIT_FALSE : value_lits(x, value)[i];
}

/* ---- Operations with one operand that is not constant ---- */

/* Item i of the operand becomes item to[i]; -1: it cannot be. */
static int *renamed(struct encoding *x, const int *from, uint32_t from_count,
                    const int *to, uint32_t count)
{
    int *lits = new_lits(x, count),
        *group = calloc(from_count + 1, sizeof(int));

    CHECK(group);
    for (uint32_t i = 0; i < from_count; i++) {
        if (to[i] < 0)
            solver_clause(x->solver, -from[i], 0, 0, 0);
    }
    for (uint32_t k = 0; k < count; k++) {
        size_t n = 0;

        for (uint32_t i = 0; i < from_count; i++) {
            if (to[i] == (int)k)
                group[n++] = from[i];
        }
        /* The last of two is what the first is not. */
        lits[k] = k == 1 && count == 2 ? -lits[0]
                                       : solver_or_all(x->solver, group, n);
    }
    free(group);
    return lits;
}

/* ---- Operations on two ---- */

struct table {
    struct encoding *x;
    const struct flat_value *v;
    const struct range *a, *b, *out;
    const int *a_lits, *b_lits;
};

/* The item that i and k give, or -1: it cannot be. */
static int result_of(const struct table *t, uint32_t i, uint32_t k)
{
    static const struct lsl_value undefined;
    struct lsl_value out;
    enum lsl_fault fault =
        lsl_eval(t->v->pure, t->v->width, t->v->in_width, t->a->list[i],
                 t->b ? t->b->list[k] : undefined, &out);

    if (fault == LSL_ON_POINTER)
        trouble_add(t->x, (struct trouble){
                              .lit = solver_and(t->x->solver, t->a_lits[i],
                                                t->b ? t->b_lits[k] : LIT_TRUE),
                              .failure = FAIL_UNSUPPORTED,
                              .site = t->v->site,
                              .event = LSL_NONE,
                              .text = "arithmetic on an address"});
    return range_find(t->out, fault == LSL_FINE ? out : undefined);
}

static int *encode_one(const struct table *t)
{
    bool first = !t->b || t->b->count == 1;
    const struct range *r = first ? t->a : t->b;
    int *to = calloc(r->count + 1, sizeof *to), *lits;

    CHECK(to);
    for (uint32_t i = 0; i < r->count; i++)
        to[i] = first ? result_of(t, i, 0) : result_of(t, 0, i);
    lits = renamed(t->x, first ? t->a_lits : t->b_lits, r->count, to,
                   t->out->count);
    free(to);
    return lits;
}

int value_same(struct encoding *x, const struct range *a, const int *a_lits,
               const struct range *b, const int *b_lits)
{
    struct solver *s = x->solver;
    int same;

    if (a->count == 1) {
        int i = range_find(b, a->list[0]);

        return i < 0 ? LIT_FALSE : b_lits[i];
    }
    if (b->count == 1)
        return value_same(x, b, b_lits, a, a_lits);
    same = solver_new_lit(s);
    for (uint32_t i = 0; i < a->count; i++) {
        int k = range_find(b, a->list[i]);

        if (k >= 0)
            solver_clause(s, -a_lits[i], -b_lits[k], same, 0);
        solver_clause(s, -a_lits[i], k < 0 ? LIT_FALSE : b_lits[k], -same, 0);
    }
    for (uint32_t k = 0; k < b->count; k++) {
        if (range_find(a, b->list[k]) < 0)
            solver_clause(s, -b_lits[k], -same, 0, 0);
    }
    return same;
}

static bool all_defined(const struct range *r)
{
    return r->count == 0 || r->list[0].kind != LSL_UNDEFINED;
}

static int *encode_equality(const struct table *t)
{
    int *lits = new_lits(t->x, t->out->count);
    int same = value_same(t->x, t->a, t->a_lits, t->b, t->b_lits);

    for (uint32_t i = 0; i < t->out->count; i++) {
        bool one = t->out->list[i].bits == 1;

        lits[i] = one == (t->v->pure == PURE_EQ) ? same : -same;
    }
    if (t->out->count == 1)
        solver_clause(t->x->solver, lits[0], 0, 0, 0);
    return lits;
}

static int *encode_two(const struct table *t)
{
    struct solver *s = t->x->solver;
    int *lits = free_lits(t->x, t->out->count);

    for (uint32_t i = 0; i < t->a->count; i++) {
        for (uint32_t k = 0; k < t->b->count; k++) {
            int out = result_of(t, i, k);

            solver_clause(s, -t->a_lits[i], -t->b_lits[k],
                          out < 0 ? LIT_FALSE : lits[out], 0);
        }
    }
    return lits;
}

static int *encode_pure(struct encoding *x, uint32_t value)
{
    const struct flat_value *v = &x->flat->values[value];
    bool unary = lsl_pure_operands(v->pure) == 1;
    struct table t = {
        .x = x,
        .v = v,
        .a = range_of(x, v->a),
        .b = unary ? NULL : range_of(x, v->b),
        .out = range_of(x, value),
        .a_lits = value_lits(x, v->a),
        .b_lits = unary ? NULL : value_lits(x, v->b),
    };

    if (unary || t.a->count == 1 || t.b->count == 1)
        return encode_one(&t);
    if ((v->pure == PURE_EQ || v->pure == PURE_NE) && all_defined(t.a) &&
        all_defined(t.b))
        return encode_equality(&t);
    return encode_two(&t);
}

static int *encode_ite(struct encoding *x, uint32_t value)
{
    const struct flat_value *v = &x->flat->values[value];
    const struct range *out = range_of(x, value);
    const uint32_t side[] = {v->b, v->c};
    int guard = value_guard(x, v->a), *lits;

    if (out->count == 2 && range_of(x, v->b)->count == 1 &&
        range_of(x, v->c)->count == 1) {
        lits = new_lits(x, 2);
        lits[0] =
            range_find(range_of(x, v->b), out->list[0]) >= 0 ? guard : -guard;
        lits[1] = -lits[0];
        return lits;
    }
    lits = free_lits(x, out->count);
    for (int i = 0; i < 2; i++) {
        const struct range *r = range_of(x, side[i]);
        int taken = i == 0 ? guard : -guard;
        const int *from;

        if (taken == LIT_FALSE)
            continue;
        from = value_lits(x, side[i]);
        for (uint32_t k = 0; k < r->count; k++) {
            int at = range_find(out, r->list[k]);

            solver_clause(x->solver, -taken, -from[k],
                          at < 0 ? LIT_FALSE : lits[at], 0);
        }
    }
    return lits;
}

const int *value_lits(struct encoding *x, uint32_t value)
{
    struct coded *c = &x->values[value];

    CHECK(value < x->flat->value_count);
    if (c->lits)
        return c->lits;
    CHECK(x->flat->values[value].width > 0);
    switch ((enum flat_op)x->flat->values[value].op) {
    case FLAT_PURE:
        c->lits = encode_pure(x, value);
        break;
    case FLAT_ITE:
        c->lits = encode_ite(x, value);
        break;
    default: /* constants, loads, choices */
        c->lits = free_lits(x, range_of(x, value)->count);
    }
    return c->lits;
}

/* ---- Guards ---- */

/* One of the items for which `holds` says so. */
static int encode_test(struct encoding *x, uint32_t value,
                       bool (*holds)(struct lsl_value v))
{
    const struct range *r = range_of(x, value);
    const int *lits = value_lits(x, value);
    int *group = calloc(r->count + 1, sizeof *group), out;
    size_t n = 0;
    bool invert;

    CHECK(group);
    for (uint32_t i = 0; i < r->count; i++)
        n += holds(r->list[i]);
    invert = 2 * n > r->count;
    n = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        if (holds(r->list[i]) != invert)
            group[n++] = lits[i];
    }
    out = solver_or_all(x->solver, group, n);
    free(group);
    return invert ? -out : out;
}

static bool is_true(struct lsl_value v)
{
    return v.kind == LSL_POINTER || (v.kind == LSL_INTEGER && v.bits);
}

static bool is_undefined(struct lsl_value v)
{
    return v.kind == LSL_UNDEFINED;
}

static int encode_guard(struct encoding *x, uint32_t guard)
{
    const struct flat_value *v = &x->flat->values[guard];

    switch ((enum flat_op)v->op) {
    case FLAT_TRUE_GUARD:
        return LIT_TRUE;
    case FLAT_NOT:
        return -value_guard(x, v->a);
    case FLAT_AND:
        return solver_and(x->solver, value_guard(x, v->a),
                          value_guard(x, v->b));
    case FLAT_TRUTH:
        return encode_test(x, v->a, is_true);
    case FLAT_IS_UNDEFINED:
        return encode_test(x, v->a, is_undefined);
    case FLAT_SAME:
        return value_same(x, range_of(x, v->a), value_lits(x, v->a),
                          range_of(x, v->b), value_lits(x, v->b));
    default:
        CHECK(false);
    }
    return 0;
}

int value_guard(struct encoding *x, uint32_t guard)
{
    unsigned may = x->ranges.guard[guard];

    CHECK(guard < x->flat->value_count && x->flat->values[guard].width == 0);
    if (!x->guards[guard])
        x->guards[guard] = !(may & MAY_BE_TRUE)    ? LIT_FALSE
                           : !(may & MAY_BE_FALSE) ? LIT_TRUE
                                                   : encode_guard(x, guard);
    return x->guards[guard];
}
