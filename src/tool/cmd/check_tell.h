/* SPDX-License-Identifier: MIT
 *
 * A run of fencer check, and how it is told.
 */
#ifndef CMD_CHECK_TELL_H
#define CMD_CHECK_TELL_H

#include "base/lines.h"
#include "cmd/options.h"
#include "cmd/run_target.h"
#include "engine/engine.h"
#include "report/report.h"

struct checking {
    const struct options *options;
    struct arena arena;
    struct lsl_program program, reference;
    struct test *tests; /* none: main's assertions */
    size_t test_count;
    struct target target;
    struct check_options check;
    struct check_result result;
    bool interrupted; /* the user did not want to wait */
    bool broken;      /* some test fails on some model */
    bool open;        /* an answer is, and not because the user wanted it so */
};

/* Keeps the findings and prints the report; fills `broken` and `open`. */
bool check_tell(struct checking *c, struct err *e);

#endif
