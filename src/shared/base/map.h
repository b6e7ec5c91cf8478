/* SPDX-License-Identifier: MIT
 *
 * From numbers, pointers or texts to numbers.  A map has keys of one sort.  It
 * only grows, and its entries stay in the order in which they were made: no
 * order comes from a hash of pointers.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdint.h>

#include "base/index.h"
#include "base/vec.h"

struct map_entry {
    uint64_t key; /* of a text: its address */
    uint64_t value;
};

/* A zeroed one is empty, and on the heap until map_free; one that begins as
 * MAP_IN(arena) lives there. */
struct map {
    VEC(struct map_entry);
    struct index index;
    struct arena texts; /* copies of the keys */
};

#define MAP_IN(a)                                                              \
    {                                                                          \
        .index = {.arena = (a) }                                               \
    }

/* The place of that key's value, made with value 0 if it was not there.  It
 * moves with the next key. */
uint64_t *map_put(struct map *m, uint64_t key);
uint64_t *map_put_pointer(struct map *m, const void *key);
uint64_t *map_put_text(struct map *m, const char *key); /* copied */

/* The place of that key's value, or NULL. */
uint64_t *map_get(const struct map *m, uint64_t key);
uint64_t *map_get_pointer(const struct map *m, const void *key);
uint64_t *map_get_text(const struct map *m, const char *key);

void map_free(struct map *m);

#endif
