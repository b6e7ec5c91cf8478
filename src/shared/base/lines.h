/* SPDX-License-Identifier: MIT
 *
 * A list of lines that grows, each in it once: what was not covered.
 */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include <stddef.h>

#include "base/arena.h"

struct lines {
    struct arena *arena; /* the texts live there */
    const char **list;
    size_t count, room;
};

/* Adds a line, unless it is there already. */
void lines_add(struct lines *l, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
