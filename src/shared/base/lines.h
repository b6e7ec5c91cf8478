/* SPDX-License-Identifier: MIT
 *
 * A list of lines that grows, each in it once: what was not covered.
 */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include "base/arena.h"
#include "base/vec.h"

struct lines {
    struct arena *arena; /* the texts live there */
    VEC(const char *);
};

/* Adds a line, unless it is there already. */
void lines_add(struct lines *l, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
