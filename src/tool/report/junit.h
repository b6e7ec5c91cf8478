/* SPDX-License-Identifier: MIT
 *
 * JUnit's XML, as build servers read it: test cases, and what came of each.
 */
#ifndef REPORT_JUNIT_H
#define REPORT_JUNIT_H

#include <stddef.h>

#include "base/buf.h"

enum junit_end { JUNIT_PASSED, JUNIT_FAILED, JUNIT_ERROR, JUNIT_SKIPPED };

struct junit_case {
    const char *name;
    double seconds;
    enum junit_end end;
    const char *type, *message; /* unless it passed */
    const char *text;           /* NULL: none */
};

/* A document with one suite; `notes`: what is said of all of it, or NULL. */
void junit_put(const char *name, const char *suite,
               const struct junit_case *list, size_t count, const char *notes,
               struct buf *out);

#endif
