/* SPDX-License-Identifier: MIT
 *
 * A SAT solver and the few words in which clauses are written.  This file's
 * .c is the only one that knows that it is CaDiCaL.
 *
 * Literals are numbers, negated by their sign.  LIT_TRUE is a literal that
 * holds always, so that constants need no special case anywhere.
 */
#ifndef ENCODE_SOLVER_H
#define ENCODE_SOLVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIT_TRUE 1
#define LIT_FALSE (-1)

struct solver;

struct solver *solver_new(void);
void solver_free(struct solver *s);

int solver_new_lit(struct solver *s);

/* One clause, literal by literal.  LIT_FALSE is left out; a clause with
 * LIT_TRUE in it is none. */
void solver_add(struct solver *s, int lit);
void solver_end(struct solver *s);
/* The same, of up to four literals; 0 is no literal. */
void solver_clause(struct solver *s, int a, int b, int c, int d);

/* Literals that stand for an operation on others. */
int solver_and(struct solver *s, int a, int b);
int solver_or(struct solver *s, int a, int b);
int solver_or_all(struct solver *s, const int *lits, size_t count);

/* Exactly one of them holds. */
void solver_exactly_one(struct solver *s, const int *lits, size_t count);

/* Holds only in the next solver_solve. */
void solver_assume(struct solver *s, int lit);

enum solved { SOLVED_YES, SOLVED_NO, SOLVED_NOT /* it was stopped */ };

/* Each solver_solve from now on ends after so many conflicts, with SOLVED_NOT;
 * 0: however many it takes. */
void solver_limit(struct solver *s, int conflicts);

/* `stop` is asked from time to time, and ends it by true. */
enum solved solver_solve(struct solver *s, bool (*stop)(void *context),
                         void *context);

/* In the last solution found; it stays when clauses are added. */
bool solver_value(struct solver *s, int lit);

uint64_t solver_vars(const struct solver *s);
uint64_t solver_clauses(const struct solver *s);

#endif
