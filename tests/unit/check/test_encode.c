/* SPDX-License-Identifier: MIT
 *
 * The words in which clauses are written, and hitting sets: each against all
 * assignments, one by one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "encode/solver.h"
#include "engine/hitting.h"

static enum solved solve(struct solver *s, const int *assumed, size_t count)
{
    for (size_t i = 0; i < count; i++)
        solver_assume(s, assumed[i]);
    return solver_solve(s, NULL, NULL);
}

static void gates_are_what_they_say(void **state)
{
    (void)state;
    struct solver *s = solver_new();
    int a = solver_new_lit(s), b = solver_new_lit(s), c = solver_new_lit(s);
    const int all[] = {a, b, c};
    int conjunction = solver_and(s, a, b), either = solver_or(s, a, -b);
    int any = solver_or_all(s, all, 3);

    assert_int_equal(solver_and(s, b, a), conjunction);
    assert_int_equal(solver_and(s, a, -a), LIT_FALSE);
    assert_int_equal(solver_and(s, LIT_TRUE, a), a);
    assert_int_equal(solver_or(s, LIT_TRUE, a), LIT_TRUE);
    for (unsigned bits = 0; bits < 8; bits++) {
        bool va = bits & 1, vb = bits & 2, vc = bits & 4;
        const int assumed[] = {va ? a : -a, vb ? b : -b, vc ? c : -c};

        assert_int_equal(solve(s, assumed, 3), SOLVED_YES);
        assert_int_equal(solver_value(s, conjunction), va && vb);
        assert_int_equal(solver_value(s, either), va || !vb);
        assert_int_equal(solver_value(s, any), va || vb || vc);
    }
    solver_free(s);
}

static void exactly_one_holds(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 9; n++) {
        struct solver *s = solver_new();
        int lits[9], assumed[9];

        for (size_t i = 0; i < n; i++)
            lits[i] = solver_new_lit(s);
        solver_exactly_one(s, lits, n);
        for (unsigned bits = 0; bits < 1u << n; bits++) {
            for (size_t i = 0; i < n; i++)
                assumed[i] = bits >> i & 1 ? lits[i] : -lits[i];
            assert_int_equal(solve(s, assumed, n), __builtin_popcount(bits) == 1
                                                       ? SOLVED_YES
                                                       : SOLVED_NO);
        }
        solver_free(s);
    }
}

static bool stop_at_once(void *context)
{
    (void)context;
    return true;
}

/* Pigeons that do not fit, and soon that is hard to see. */
static struct solver *make_pigeons(int holes)
{
    enum { MOST = 11 };
    struct solver *s = solver_new();
    int in[MOST + 1][MOST];

    assert_true(holes <= MOST);
    for (int p = 0; p <= holes; p++) {
        for (int h = 0; h < holes; h++)
            solver_add(s, in[p][h] = solver_new_lit(s));
        solver_end(s);
    }
    for (int h = 0; h < holes; h++) {
        for (int p = 0; p <= holes; p++) {
            for (int q = 0; q < p; q++)
                solver_clause(s, -in[p][h], -in[q][h], 0, 0);
        }
    }
    return s;
}

static void a_solver_can_be_stopped(void **state)
{
    (void)state;
    struct solver *s = make_pigeons(11);

    assert_int_equal(solver_solve(s, stop_at_once, NULL), SOLVED_NOT);
    solver_free(s);
}

static void a_solver_gives_up_at_its_limit_and_can_go_on(void **state)
{
    (void)state;
    struct solver *s = make_pigeons(6);

    solver_limit(s, 10);
    assert_int_equal(solver_solve(s, NULL, NULL), SOLVED_NOT);
    assert_int_equal(solver_solve(s, NULL, NULL), SOLVED_NOT);
    solver_limit(s, 0);
    assert_int_equal(solver_solve(s, NULL, NULL), SOLVED_NO);
    solver_free(s);
}

enum { THINGS = 10, SETS = 8 };

static unsigned cheapest(bool in[SETS][THINGS], int sets,
                         const unsigned *weights)
{
    unsigned best = UINT32_MAX;

    for (unsigned bits = 0; bits < 1u << THINGS; bits++) {
        unsigned cost = 0;
        bool all = true;

        for (int i = 0; i < THINGS; i++)
            cost += bits >> i & 1 ? weights[i] : 0;
        for (int k = 0; k < sets; k++) {
            bool hit = false;

            for (int i = 0; i < THINGS; i++)
                hit |= in[k][i] && (bits >> i & 1);
            all &= hit;
        }
        if (all && cost < best)
            best = cost;
    }
    return best;
}

static void hitting_sets_are_cheapest(void **state)
{
    (void)state;
    srand(7);
    for (int round = 0; round < 60; round++) {
        unsigned weights[THINGS], cost = 0;
        bool in[SETS][THINGS], chosen[THINGS];
        struct hitting *h;

        for (int i = 0; i < THINGS; i++)
            weights[i] = 1 + (unsigned)rand() % 5;
        h = hitting_new(THINGS, weights);
        for (int k = 0; k < SETS; k++) {
            for (int i = 0; i < THINGS; i++)
                in[k][i] = rand() % 3 == 0;
            in[k][rand() % THINGS] = true;
            hitting_add(h, in[k]);
        }
        hitting_solve(h, chosen);
        for (int i = 0; i < THINGS; i++)
            cost += chosen[i] ? weights[i] : 0;
        assert_int_equal(cost, cheapest(in, SETS, weights));
        hitting_free(h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gates_are_what_they_say),
        cmocka_unit_test(exactly_one_holds),
        cmocka_unit_test(a_solver_can_be_stopped),
        cmocka_unit_test(a_solver_gives_up_at_its_limit_and_can_go_on),
        cmocka_unit_test(hitting_sets_are_cheapest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
