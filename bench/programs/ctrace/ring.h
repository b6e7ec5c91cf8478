/* SPDX-License-Identifier: MIT
 *
 * The lines of a trace; the oldest are overwritten.  Not locked: the tracer's
 * lock is held by every caller.
 */
#ifndef RING_H
#define RING_H

#define RING_LINES 64
#define LINE_SIZE 40

struct ring {
    char line[RING_LINES][LINE_SIZE];
    int count; /* of all lines ever added */
};

void ring_init(struct ring *r);

/* Room for one more line. */
char *ring_add(struct ring *r);

/* The line with this number; NULL if it is gone or not there yet. */
const char *ring_line(const struct ring *r, int number);

#endif
