/* SPDX-License-Identifier: MIT
 *
 * Many litmus tests on all processors: processes that take one test after the
 * other, and write what they found to files of their own.
 */
#ifndef CMD_LITMUS_WORK_H
#define CMD_LITMUS_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

struct buf;

/* What became of one piece of work; who asked knows what is in the texts. */
struct work_result {
    bool done; /* else the process ended before */
    uint8_t code;
    const char *text, *json;
};

/* Does piece `i', and fills two texts; returns a code of its own. */
typedef uint8_t work_one(void *arg, size_t i, struct buf *text,
                         struct buf *json);

/* All pieces, by so many processes.  `results' has room for all. */
bool litmus_work(size_t count, size_t jobs, work_one *one, void *arg,
                 struct work_result *results, struct arena *a, struct err *e);

#endif
