/* SPDX-License-Identifier: MIT
 *
 * A map from pointers or strings to numbers, for the tables of the pass.  It
 * only grows, and is never walked: no order may come from a hash of pointers.
 */
#ifndef INSTRUMENT_MAP_H
#define INSTRUMENT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_entry {
    const void *key; /* NULL: free */
    uint64_t value;
};

struct map {
    struct map_entry *entries;
    size_t count, room; /* room is 0 or a power of two */
    bool strings;       /* keys are compared as strings, and copied */
};

/* The place of that key's value, made with value 0 if it was not there. */
uint64_t *map_put(struct map *m, const void *key);

/* The place of that key's value, or NULL. */
uint64_t *map_get(const struct map *m, const void *key);

void map_free(struct map *m);

#endif
