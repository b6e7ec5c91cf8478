/* SPDX-License-Identifier: MIT
 *
 * Serial executions, one by one: the operations of a test as if each were
 * atomic, in every order that the threads allow and with every choice, by
 * running the load-store language on concrete values.  Gives the set of
 * observations (CheckFence, sections 2.2 and 3.2), the specification.
 */
#ifndef SERIAL_SERIAL_H
#define SERIAL_SERIAL_H

#include "base/arena.h"
#include "base/err.h"
#include "lsl/lsl.h"
#include "lsl/lsl_test.h"

/* An observation: the values observed, thread after thread (init first), in
 * program order; integers, as fencer_observe was given them. */
struct observation_set {
    const char **labels; /* of each place, "e" */
    uint32_t *threads;   /* 0: init; else 1 + number of the thread */
    uint32_t width;      /* values in an observation */
    int64_t *values;     /* count times width, sorted */
    size_t count, room;
};

enum serial_end {
    SERIAL_DONE,
    SERIAL_FAILED,   /* an operation fails even when alone: e, `failure` */
    SERIAL_TOO_MANY, /* more than `max` observations */
    SERIAL_STOPPED,  /* `stop` said so */
    SERIAL_REFUSED /* something that cannot be run, or a loop without end: e */
};

struct serial_options {
    size_t max; /* observations */
    bool (*stop)(void *context, size_t observations);
    void *context;
};

struct serial_failure {
    uint8_t kind; /* enum failure_kind */
    uint32_t site;
    const char *text;
    struct observation_set so_far; /* of the execution that failed: one */
};

enum serial_end serial_mine(const struct lsl_program *p, const struct test *t,
                            const struct serial_options *options,
                            struct arena *a, struct observation_set *out,
                            struct serial_failure *failure, struct err *e);

/* Is it one that some serial execution has?  Searches for that one alone. */
bool serial_explains(const struct lsl_program *p, const struct test *t,
                     const int64_t *values, uint32_t width);

/* How far each thread has come when nobody can go on. */
struct serial_stuck {
    uint32_t *done;   /* per thread of the test, the first is number 0: how many
                         operations it has finished */
    uint32_t *counts; /* likewise: how many values they observed */
    int64_t *values;  /* thread after thread */
};

/* Is there a serial execution that comes as far, and all the others' next
 * operations wait for ever?  Then that is what the data type does. */
bool serial_waits(const struct lsl_program *p, const struct test *t,
                  const struct serial_stuck *s);

bool observations_contain(const struct observation_set *s,
                          const int64_t *values);

#endif
