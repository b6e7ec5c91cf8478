/* SPDX-License-Identifier: MIT
 *
 * Observations of a test's serial executions: see mine.c.
 */
#ifndef FINDING_MINE_H
#define FINDING_MINE_H

#include "base/arena.h"
#include "base/err.h"
#include "worker/worker.h"

struct mined {
    struct spec_text *texts; /* sorted */
    size_t count;
    uint64_t executions;
    const char *why_not; /* why not all of them were found; then no texts */
};

/* `base` is a job of a program with a test (PROGRAM_TEST).  False:
 * the machine failed us. */
bool mine_serial(const struct job *base, uint64_t until_ms, struct arena *a,
                 struct mined *out, struct err *e);

#endif
