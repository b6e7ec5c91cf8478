/* SPDX-License-Identifier: MIT
 *
 * One program, the enumerator and the tool: the same outcomes on every model?
 */
#ifndef ORACLE_CHECK_H
#define ORACLE_CHECK_H

#include "enumerate.h"
#include "tool.h"

struct target {
    const struct program *program;
    const char *binary;
    const char *argument;     /* number in its batch, or NULL */
    struct options semantics; /* for the enumerator, and ... */
    const char *options[8];   /* ... the same for `fencer run` */
    bool only_sc;             /* no model may show more than SC does */
};

struct effort {
    unsigned long least, most; /* executions */
    bool only_extra;           /* do not ask for missing outcomes */
};

/* Compares on all models; what differs is printed unless t->quiet. */
bool check_program(const struct tool *t, const struct target *target,
                   const struct effort *effort);

/* Do the head's verdicts agree with the enumerator? */
bool check_verdicts(const struct program *p);

/* Calls work(i, context) for i below count in `workers` processes; the number
 * of calls that returned false.  A worker that dies counts as one. */
unsigned check_parallel(size_t count, unsigned workers,
                        bool (*work)(size_t i, void *context), void *context);

#endif
