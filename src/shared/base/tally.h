/* SPDX-License-Identifier: MIT
 *
 * Texts, and how often each came.
 */
#ifndef BASE_TALLY_H
#define BASE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

struct tally_entry {
    const char *text;
    uint64_t count;
};

/* A zeroed one is empty. */
struct tally {
    VEC(struct tally_entry);
    size_t sorted; /* the first of these are */
};

/* The text, copied if it is new; sorted in by the next tally_sort. */
void tally_add(struct tally *t, const char *text, uint64_t count,
               struct arena *a);

/* By text, and equal ones together. */
void tally_sort(struct tally *t);

/* Makes `to` the same; the texts are shared. */
void tally_copy(struct tally *to, const struct tally *from, struct arena *a);

/* Is that text in a sorted one? */
bool tally_has(const struct tally *t, const char *text);

#endif
