/* SPDX-License-Identifier: MIT
 *
 * A set of final outcomes: one value for each thing the program observes.
 */
#ifndef ORACLE_OUTCOMES_H
#define ORACLE_OUTCOMES_H

#include "program.h"

struct outcomes {
    size_t width; /* values of one outcome */
    size_t count, room;
    uint64_t *values; /* sorted rows of `width` */
};

void outcomes_init(struct outcomes *o, size_t width);
void outcomes_free(struct outcomes *o);
/* True if it was not there yet. */
bool outcomes_add(struct outcomes *o, const uint64_t *values);
bool outcomes_has(const struct outcomes *o, const uint64_t *values);
bool outcomes_equal(const struct outcomes *a, const struct outcomes *b);
/* Is all of a in b? */
bool outcomes_within(const struct outcomes *a, const struct outcomes *b);
const uint64_t *outcomes_row(const struct outcomes *o, size_t i);

/* "r0=0 r1=1", the words `fencer run` uses for it. */
void outcome_text(const struct program *p, const uint64_t *values, char *text,
                  size_t size);
/* The reverse; false if that is no outcome of p. */
bool outcome_parse(const struct program *p, const char *text, uint64_t *values);

/* Never, sometimes or always: how often the condition holds in the set. */
enum verdict outcomes_verdict(const struct program *p,
                              const struct outcomes *o);
extern const char *const verdict_names[];

#endif
