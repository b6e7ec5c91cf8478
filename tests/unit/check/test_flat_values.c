/* SPDX-License-Identifier: MIT
 *
 * Folding changes no value: random expressions over inputs are built by the
 * functions that fold, and evaluated for every input beside a plain evaluation
 * of what was asked for.  Guards likewise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "flat/flat_inside.h"

#define INPUTS 2
#define EXPRESSIONS 60

static uint64_t state = 0x2545f4914f6cdd1dull;

static uint32_t below(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 20) % n;
}

/* What an input may be: undefined, numbers, pointers into two objects. */
static const struct lsl_value domain[] = {
    {LSL_UNDEFINED, 0, 0}, {LSL_INTEGER, 0, 0},         {LSL_INTEGER, 0, 1},
    {LSL_INTEGER, 0, 2},   {LSL_INTEGER, 0, 16},        {LSL_INTEGER, 0, ~0ull},
    {LSL_POINTER, 1, 0},   {LSL_POINTER, 1, 9},         {LSL_POINTER, 2, 0},
    {LSL_INTEGER, 0, 63},  {LSL_INTEGER, 0, 1ull << 63}};
#define DOMAIN (sizeof(domain) / sizeof(*domain))

/* An expression: its number as the unroller has it, and its value under each
 * pair of inputs, computed at once. */
struct expression {
    uint32_t value;
    unsigned width; /* 0: a guard */
    struct lsl_value under[DOMAIN * DOMAIN];
};

struct world {
    struct values values;
    struct expression list[EXPRESSIONS + 20];
    uint32_t count;
};

static bool is_true(struct lsl_value v)
{
    return v.kind == LSL_POINTER || (v.kind == LSL_INTEGER && v.bits);
}

static struct expression *any_of(struct world *w, bool guard)
{
    for (;;) {
        struct expression *x = &w->list[below(w->count)];

        if ((x->width == 0) == guard)
            return x;
    }
}

static struct expression *any_of_width(struct world *w, unsigned width)
{
    for (;;) {
        struct expression *x = any_of(w, false);

        if (x->width == width)
            return x;
    }
}

static void add_inputs(struct world *w)
{
    for (uint32_t i = 0; i < INPUTS; i++) {
        struct expression *x = &w->list[w->count++];

        x->width = 64;
        x->value = values_add(
            &w->values,
            &(struct flat_value){.op = FLAT_LOADED, .width = 64, .a = i});
        for (uint32_t k = 0; k < DOMAIN * DOMAIN; k++)
            x->under[k] = domain[i ? k % DOMAIN : k / DOMAIN];
    }
    for (uint32_t i = 0; i < DOMAIN; i++) {
        struct expression *x = &w->list[w->count++];

        x->width = 64;
        x->value = values_constant(&w->values, domain[i]);
        for (uint32_t k = 0; k < DOMAIN * DOMAIN; k++)
            x->under[k] = domain[i];
    }
}

static void add_pure(struct world *w)
{
    struct expression *x = &w->list[w->count], *a, *b;
    enum lsl_pure op = (enum lsl_pure)below(PURE_PART);
    bool compares = op >= PURE_EQ && op <= PURE_SLE;
    unsigned in_width;

    a = any_of(w, false);
    in_width = a->width;
    b = any_of_width(w, in_width);
    x->width = compares                             ? 1
               : op == PURE_TRUNC                   ? 1 + below(in_width)
               : op == PURE_ZEXT || op == PURE_SEXT ? 64
                                                    : in_width;
    if ((op == PURE_ZEXT || op == PURE_SEXT || op == PURE_TRUNC) &&
        x->width == in_width)
        return;
    x->value =
        values_pure(&w->values, op, x->width, in_width, a->value, b->value);
    for (uint32_t k = 0; k < DOMAIN * DOMAIN; k++)
        lsl_eval(op, x->width, in_width, a->under[k], b->under[k],
                 &x->under[k]);
    w->count++;
}

static void add_choice(struct world *w)
{
    struct expression *x = &w->list[w->count], *g = any_of(w, true);
    struct expression *a = any_of(w, false), *b = any_of_width(w, a->width);

    x->width = a->width;
    x->value = values_ite(&w->values, g->value, a->value, b->value);
    for (uint32_t k = 0; k < DOMAIN * DOMAIN; k++)
        x->under[k] = is_true(g->under[k]) ? a->under[k] : b->under[k];
    w->count++;
}

static void add_atom(struct world *w)
{
    struct expression *x = &w->list[w->count], *a = any_of(w, false);
    struct expression *b = any_of_width(w, a->width);
    uint32_t kind = below(3);

    x->width = 0;
    x->value = kind == 0   ? guard_truth(&w->values, a->value)
               : kind == 1 ? guard_undefined(&w->values, a->value)
                           : guard_same(&w->values, a->value, b->value);
    for (uint32_t k = 0; k < DOMAIN * DOMAIN; k++)
        x->under[k] =
            LSL_INT(kind == 0   ? is_true(a->under[k])
                    : kind == 1 ? a->under[k].kind == LSL_UNDEFINED
                                : lsl_equal(a->under[k], b->under[k]));
    w->count++;
}

static void add_guard(struct world *w)
{
    struct expression *x = &w->list[w->count];
    struct expression *a = any_of(w, true), *b = any_of(w, true);
    uint32_t kind = below(3);

    x->width = 0;
    x->value = kind == 0   ? guard_and(&w->values, a->value, b->value)
               : kind == 1 ? guard_or(&w->values, a->value, b->value)
                           : guard_not(&w->values, a->value);
    for (uint32_t k = 0; k < DOMAIN * DOMAIN; k++) {
        bool p = is_true(a->under[k]), q = is_true(b->under[k]);

        x->under[k] = LSL_INT(kind == 0 ? p && q : kind == 1 ? p || q : !p);
    }
    w->count++;
}

/* Where the guard holds, the value is as before. */
static void add_decided(struct world *w)
{
    struct expression *x = &w->list[w->count], *g = any_of(w, true);
    struct expression *a = any_of(w, false);
    uint32_t decided = guard_decide(&w->values, g->value, a->value);
    uint32_t rest = values_ite(&w->values, g->value, decided, a->value);

    *x = *a;
    x->value = rest;
    w->count++;
}

/* All values from the inputs, as flat_evaluate has them. */
static void compare(const struct world *w, unsigned round)
{
    struct arena a = ARENA_INIT;
    struct flat f = {.values = w->values.list, .value_count = w->values.count};
    struct flat_run run = {0};
    struct lsl_value inputs[INPUTS];

    run.values = arena_array(&a, f.value_count, sizeof(*run.values));
    run.value = inputs;
    for (uint32_t k = 0; k < DOMAIN * DOMAIN; k++) {
        inputs[0] = domain[k / DOMAIN];
        inputs[1] = domain[k % DOMAIN];
        flat_evaluate(&f, &run);
        for (uint32_t i = 0; i < w->count; i++)
            if (!lsl_equal(run.values[w->list[i].value], w->list[i].under[k]))
                fail_msg("round %u: expression %u under inputs %u", round, i,
                         k);
    }
    arena_free(&a);
}

static void folding_changes_no_value(void **unused)
{
    (void)unused;
    for (unsigned round = 0; round < 300; round++) {
        struct arena a = ARENA_INIT;
        struct world *w = arena_alloc(&a, sizeof(*w));

        values_init(&w->values, &a);
        add_inputs(w);
        add_atom(w);
        while (w->count < EXPRESSIONS) {
            uint32_t what = below(12);

            if (what < 5)
                add_pure(w);
            else if (what < 7)
                add_choice(w);
            else if (what < 9)
                add_atom(w);
            else if (what < 11)
                add_guard(w);
            else
                add_decided(w);
        }
        compare(w, round);
        arena_free(&a);
    }
}

/* Parts of what was put together are what it was put together from. */
static void parts_of_parts_are_found(void **unused)
{
    struct arena a = ARENA_INIT;
    struct values v;
    uint32_t low, high, word, one;

    (void)unused;
    values_init(&v, &a);
    low = values_add(
        &v, &(struct flat_value){.op = FLAT_LOADED, .width = 32, .a = 0});
    high = values_add(
        &v, &(struct flat_value){.op = FLAT_LOADED, .width = 32, .a = 1});
    one = values_integer(&v, 1);
    word = values_pure(&v, PURE_JOIN, 64, 32, low, high);
    assert_int_equal(
        values_pure(&v, PURE_PART, 32, 32, word, values_integer(&v, 0)), low);
    assert_int_equal(
        values_pure(&v, PURE_PART, 32, 32, word, values_integer(&v, 4)), high);
    assert_int_equal(values_pure(&v, PURE_TRUNC, 32, 64, word, 0), low);
    assert_int_equal(
        values_pure(&v, PURE_PART, 8, 8, word, values_integer(&v, 5)),
        values_pure(&v, PURE_PART, 8, 8, high, one));
    assert_int_equal(values_pure(&v, PURE_JOIN, 32, 8,
                                 values_pure(&v, PURE_PART, 8, 8, low,
                                             values_integer(&v, 0)),
                                 values_pure(&v, PURE_PART, 24, 24, low, one)),
                     low);
    arena_free(&a);
}

/* The guard after an "if" is the one before it. */
static void branches_that_join_are_forgotten(void **unused)
{
    struct arena a = ARENA_INIT;
    struct values v;
    uint32_t x, y, g, both[2], all;

    (void)unused;
    values_init(&v, &a);
    x = guard_truth(&v, values_add(&v, &(struct flat_value){.op = FLAT_LOADED,
                                                            .width = 1}));
    y = guard_truth(&v,
                    values_add(&v, &(struct flat_value){
                                       .op = FLAT_LOADED, .width = 1, .a = 1}));
    g = guard_truth(&v,
                    values_add(&v, &(struct flat_value){
                                       .op = FLAT_LOADED, .width = 1, .a = 2}));
    both[0] = guard_and(&v, g, x);
    both[1] = guard_and(&v, g, guard_not(&v, x));
    assert_int_equal(guard_or(&v, both[0], both[1]), g);
    /* Nested, joined in any order. */
    all = guard_or(&v, guard_and(&v, both[0], y), both[1]);
    all = guard_or(&v, all, guard_and(&v, both[0], guard_not(&v, y)));
    assert_int_equal(all, g);
    assert_int_equal(guard_and(&v, both[0], both[1]), FLAT_FALSE);
    assert_int_equal(guard_and(&v, both[0], guard_not(&v, both[1])), both[0]);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folding_changes_no_value),
        cmocka_unit_test(parts_of_parts_are_found),
        cmocka_unit_test(branches_that_join_are_forgotten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
