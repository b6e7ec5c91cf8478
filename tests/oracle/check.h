/* SPDX-License-Identifier: MIT
 *
 * One program, the enumerator and the tool: the same outcomes on every model?
 */
#ifndef ORACLE_CHECK_H
#define ORACLE_CHECK_H

#include "engine.h"
#include "enumerate.h"

struct target {
    const struct program *program;
    const char *binary;
    const char *argument;     /* number in its batch, or NULL */
    struct options semantics; /* for the enumerator and for the program */
    bool only_sc;             /* no model may show more than SC does */
    int mutant;               /* of the runtime; -1: none */
    bool quiet;               /* print nothing */
};

/* Compares on all models; what differs is printed unless it is to be quiet. */
bool check_program(const struct target *target);

/* Runs that job and adds what p observed in it to `seen`.  False: it failed,
 * the reason is in `error`. */
bool check_run(struct engine *e, const struct engine_job *job,
               const struct program *p, struct outcomes *seen,
               struct engine_result *result, char *error, size_t error_size);

/* Do the head's verdicts agree with the enumerator? */
bool check_verdicts(const struct program *p);

/* Calls work(i, context) for i below count in `workers` processes; the number
 * of calls that returned false.  A worker that dies counts as one. */
unsigned check_parallel(size_t count, unsigned workers,
                        bool (*work)(size_t i, void *context), void *context);

#endif
