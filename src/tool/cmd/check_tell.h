/* SPDX-License-Identifier: MIT
 *
 * A run of fencer check, and how it is told.
 */
#ifndef CMD_CHECK_TELL_H
#define CMD_CHECK_TELL_H

#include "cmd/command.h"
#include "engine/engine.h"

struct checking {
    struct call call;
    struct lsl_program program, reference;
    struct test *tests; /* none: main's assertions */
    size_t test_count;
    struct check_options check;
    struct check_result result;
    struct shown **findings;
};

/* Keeps the findings and fills the report. */
bool check_tell(struct call *call, struct err *e);

#endif
