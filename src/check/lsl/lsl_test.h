/* SPDX-License-Identifier: MIT
 *
 * Tests of a data type: which thread calls which operations.
 */
#ifndef LSL_LSL_TEST_H
#define LSL_LSL_TEST_H

#include "lsl/lsl.h"

struct test_call {
    uint32_t operation; /* of the program */
    bool once;          /* primed: its loops do not come round */
};

struct test_thread {
    struct test_call *calls;
    uint32_t count;
};

struct test {
    const char *name; /* "T0", or the notation itself */
    const char *notation;
    struct test_thread init; /* run before the threads, by the main thread */
    struct test_thread *threads;
    uint32_t thread_count;
};

/* `text` is a test in the paper's notation (event/notation.h), or the name of
 * one of the file. */
bool lsl_parse_test(const struct lsl_program *p, const char *text,
                    struct arena *a, struct test *out, struct err *e);

#endif
