/* SPDX-License-Identifier: MIT
 *
 * Brute force: every final outcome of a small program on SC, TSO, PSO or
 * PSLO, by walking all states of the machine that docs/models.md describes.
 */
#ifndef ORACLE_ENUMERATE_H
#define ORACLE_ENUMERATE_H

#include "lower.h"
#include "outcomes.h"

struct enumerated {
    struct outcomes outcomes;
    size_t states;
    size_t stuck; /* states in which no thread can go on: deadlocks */
};

/* Fills *e, which outcomes_free(&e->outcomes) frees.  With max_states != 0 the
 * walk gives up there and returns false. */
bool enumerate(struct enumerated *e, const struct program *p, enum model model,
               const struct options *options, size_t max_states);

#endif
