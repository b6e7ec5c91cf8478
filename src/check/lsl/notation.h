/* SPDX-License-Identifier: MIT
 *
 * Tests in the paper's notation (CheckFence, Fig. 8): "e ( ed | de' )" is an
 * initialisation sequence, then threads.  A name is an operation of the file,
 * the longest that fits ("al rr", "alrr"); a prime forbids retries.  No
 * parentheses: one thread.
 */
#ifndef LSL_NOTATION_H
#define LSL_NOTATION_H

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

/* `text` is a test in that notation, or the name of one of the file. */
bool notation_parse(const struct lsl_program *p, const char *text,
                    struct arena *a, struct test *out, struct err *e);

#endif
