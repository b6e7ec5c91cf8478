/* SPDX-License-Identifier: MIT
 *
 * classical.tsv: small programs in a notation of their own, and what each model
 * says of them.  A program becomes a litmus test in C.
 */
#ifndef SHAPES_H
#define SHAPES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"

#define COLUMNS_MAX 16

struct shape {
    const char *name, *program, *condition;
    char verdicts[COLUMNS_MAX]; /* a allowed, . forbidden, - not in C11 */
};

struct shapes {
    struct shape *list;
    size_t count;
    const char *columns[COLUMNS_MAX]; /* "arm:llsc": a model and a mapping */
    size_t column_count;
};

/* Reads the file; ends the test if it cannot. */
void shapes_read(const char *path, struct arena *a, struct shapes *out);

/* The shape as a litmus test. */
void shape_write(const struct shape *s, struct buf *out);

#endif
