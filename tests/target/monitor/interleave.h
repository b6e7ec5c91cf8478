/* SPDX-License-Identifier: MIT
 *
 * All interleavings of a small program on SC, as the runtime would tell them.
 */
#ifndef MONITOR_TEST_INTERLEAVE_H
#define MONITOR_TEST_INTERLEAVE_H

#include "event/happening.h"
#include "program.h"

enum { MAX_HAPPENED = 128 };

struct interleaving {
    size_t count, pending_count;
    struct happening log[MAX_HAPPENED];
    struct happening pending[MAX_THREADS]; /* what blocked threads wait for */
    uint64_t trace; /* the same for all interleavings of a trace */
};

/* Calls `each` for every interleaving.  False: there are more than `most`, and
 * it was given up. */
bool interleave(const struct program *p, size_t most,
                void (*each)(const struct interleaving *i, void *context),
                void *context);

#endif
