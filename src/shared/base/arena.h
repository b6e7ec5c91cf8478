/* SPDX-License-Identifier: MIT
 *
 * Memory that belongs to a lifetime: allocate freely, give all of it back at
 * once.  Allocation aborts rather than return NULL.  Under ASan what has not
 * been handed out is poisoned, else overflows would go unseen.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* newest first */
    size_t used;                /* of the newest */
};

#define ARENA_INIT {NULL, 0}

/* `size` zeroed bytes, aligned for any object. */
void *arena_alloc(struct arena *a, size_t size);

/* An array; aborts when count * size overflows. */
void *arena_array(struct arena *a, size_t count, size_t size);

char *arena_copy(struct arena *a, const char *text);
char *arena_copy_n(struct arena *a, const char *text, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Gives everything back; the arena can be used again. */
void arena_free(struct arena *a);

#endif
