/* SPDX-License-Identifier: MIT
 *
 * Shapes (tests/litmus-herd/shapes.c has their notation) as procedures of one
 * C file, each with threads and observations of its own.
 */
#ifndef STATED_SHAPES_C_H
#define STATED_SHAPES_C_H

#include <stdint.h>

#include "shapes.h"

#define OBSERVED_MAX 16

/* What is observed of a shape, in this order: registers, then memory. */
struct observed {
    char names[OBSERVED_MAX + 1];
    int threads[OBSERVED_MAX]; /* of a register; -1: memory */
    size_t count;
};

/* Writes the procedure sNUMBER, and says what it observes. */
void shape_write_c(const struct shape *s, size_t number, struct buf *out,
                   struct observed *what);

/* Does the outcome satisfy the shape's condition? */
bool shape_satisfied(const struct shape *s, const struct observed *what,
                     const int64_t *values);

#endif
