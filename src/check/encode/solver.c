/* SPDX-License-Identifier: MIT
 *
 * CaDiCaL, through its C interface.  Debian's version has no propagator, so
 * what clauses cannot say (acyclicity) is checked between solves.
 */
#include "encode/solver.h"

#include <ccadical.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/map.h"
#include "base/vec.h"

/* Clauses of exactly-one beyond this many literals go through a ladder. */
#define PAIRWISE 6

struct solver {
    CCaDiCaL *sat;
    int vars;
    uint64_t clauses;
    VEC(int) clause;    /* under way */
    bool satisfied;     /* it is */
    struct map gates;   /* two literals to the one that says both */
    VEC(bool) solution; /* per variable */
    int limit;          /* conflicts; 0: none */
    bool (*stop)(void *context);
    void *context;
};

struct solver *solver_new(void)
{
    struct solver *s = calloc(1, sizeof *s);

    CHECK(s);
    s->sat = ccadical_init();
    CHECK(s->sat);
    ccadical_set_option(s->sat, "quiet", 1);
    s->vars = 1;
    ccadical_add(s->sat, LIT_TRUE);
    ccadical_add(s->sat, 0);
    return s;
}

void solver_free(struct solver *s)
{
    if (!s)
        return;
    ccadical_release(s->sat);
    VEC_FREE(&s->clause);
    map_free(&s->gates);
    VEC_FREE(&s->solution);
    free(s);
}

int solver_new_lit(struct solver *s)
{
    return ++s->vars;
}

void solver_add(struct solver *s, int lit)
{
    CHECK(lit != 0 && abs(lit) <= s->vars);
    if (lit == LIT_TRUE)
        s->satisfied = true;
    if (lit == LIT_FALSE || s->satisfied)
        return;
    VEC_PUSH(&s->clause, lit);
}

void solver_end(struct solver *s)
{
    if (!s->satisfied) {
        for (size_t i = 0; i < s->clause.count; i++)
            ccadical_add(s->sat, s->clause.list[i]);
        ccadical_add(s->sat, 0);
        s->clauses++;
    }
    VEC_CLEAR(&s->clause);
    s->satisfied = false;
}

void solver_clause(struct solver *s, int a, int b, int c, int d)
{
    const int lits[] = {a, b, c, d};

    for (int i = 0; i < 4; i++) {
        if (lits[i])
            solver_add(s, lits[i]);
    }
    solver_end(s);
}

/* ---- Gates ---- */

int solver_and(struct solver *s, int a, int b)
{
    if (a > b) {
        int t = a;

        a = b;
        b = t;
    }
    if (a == LIT_FALSE || b == LIT_FALSE || a == -b)
        return LIT_FALSE;
    if (a == LIT_TRUE || a == b)
        return b;
    if (b == LIT_TRUE)
        return a;

    uint64_t *known =
        map_put(&s->gates, (uint64_t)(uint32_t)a << 32 | (uint32_t)b);

    if (!*known) {
        int out = solver_new_lit(s);

        *known = (uint64_t)out;
        solver_clause(s, -out, a, 0, 0);
        solver_clause(s, -out, b, 0, 0);
        solver_clause(s, out, -a, -b, 0);
    }
    return (int)*known;
}

int solver_or(struct solver *s, int a, int b)
{
    return -solver_and(s, -a, -b);
}

int solver_or_all(struct solver *s, const int *lits, size_t count)
{
    int only = LIT_FALSE, many = 0;

    for (size_t i = 0; i < count; i++) {
        if (lits[i] == LIT_TRUE)
            return LIT_TRUE;
        if (lits[i] != LIT_FALSE) {
            only = many ? only : lits[i];
            many++;
        }
    }
    if (many <= 1)
        return only;

    int out = solver_new_lit(s);

    for (size_t i = 0; i < count; i++)
        solver_clause(s, -lits[i], out, 0, 0);
    for (size_t i = 0; i < count; i++)
        solver_add(s, lits[i]);
    solver_add(s, -out);
    solver_end(s);
    return out;
}

static void at_most_one(struct solver *s, const int *lits, size_t count)
{
    int before = LIT_FALSE; /* one of those so far holds */

    if (count <= PAIRWISE) {
        for (size_t i = 0; i < count; i++) {
            for (size_t k = i + 1; k < count; k++)
                solver_clause(s, -lits[i], -lits[k], 0, 0);
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        int now = solver_new_lit(s);

        solver_clause(s, -before, -lits[i], 0, 0);
        solver_clause(s, -before, now, 0, 0);
        solver_clause(s, -lits[i], now, 0, 0);
        before = now;
    }
}

void solver_exactly_one(struct solver *s, const int *lits, size_t count)
{
    for (size_t i = 0; i < count; i++)
        solver_add(s, lits[i]);
    solver_end(s);
    at_most_one(s, lits, count);
}

/* ---- Solving ---- */

static int ask_stop(void *state)
{
    struct solver *s = state;

    return s->stop && s->stop(s->context);
}

/* ccadical_val(-1) is -1 when 1 is true: only the sign counts, and only of
 * variables. */
static void take_solution(struct solver *s)
{
    (void)VEC_REACH(&s->solution, (size_t)s->vars);
    for (int v = 1; v <= s->vars; v++)
        s->solution.list[v] = ccadical_val(s->sat, v) > 0;
    CHECK(s->solution.list[LIT_TRUE]);
}

void solver_assume(struct solver *s, int lit)
{
    CHECK(lit != 0 && abs(lit) <= s->vars);
    ccadical_assume(s->sat, lit);
}

void solver_limit(struct solver *s, int conflicts)
{
    CHECK(conflicts >= 0);
    s->limit = conflicts;
}

enum solved solver_solve(struct solver *s, bool (*stop)(void *context),
                         void *context)
{
    int result;

    CHECK(s->clause.count == 0 && !s->satisfied);
    s->stop = stop;
    s->context = context;
    ccadical_set_terminate(s->sat, s, ask_stop);
    if (s->limit)
        ccadical_limit(s->sat, "conflicts", s->limit);
    result = ccadical_solve(s->sat);
    if (result == 10)
        take_solution(s);
    return result == 10 ? SOLVED_YES : result == 20 ? SOLVED_NO : SOLVED_NOT;
}

bool solver_value(struct solver *s, int lit)
{
    CHECK(lit != 0 && (size_t)abs(lit) < s->solution.count);
    return s->solution.list[abs(lit)] == (lit > 0);
}

uint64_t solver_vars(const struct solver *s)
{
    return (uint64_t)s->vars;
}

uint64_t solver_clauses(const struct solver *s)
{
    return s->clauses;
}
