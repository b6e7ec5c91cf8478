/* SPDX-License-Identifier: MIT
 *
 * All executions of a litmus test: a trace of each thread, a source for each
 * load, an order of the stores of each cell.
 */
#ifndef LITMUS_EXECUTE_H
#define LITMUS_EXECUTE_H

#include "litmus/evaluate.h"
#include "litmus/trace.h"

/* Of one execution that the model allows. */
struct litmus_outcome {
    const int64_t *registers[THREADS_MAX]; /* of each thread, in the end */
    const int64_t *memory;                 /* in the end, by cell */
    bool race;
};

typedef void found_execution(void *arg, const struct litmus_outcome *o);

/* Calls `found' for every execution that the model allows.  False: it could not
 * be done; u->why says why. */
bool execute_all(struct unfold *u, const struct axioms *x,
                 found_execution *found, void *arg);

#endif
