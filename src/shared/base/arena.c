/* SPDX-License-Identifier: MIT
 *
 * A list of chunks, filled from the front.  A request that does not fit opens
 * a new chunk, as large as needed; the rest of the old one is given up.
 */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif

#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, n) ASAN_POISON_MEMORY_REGION(p, n)
#define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
/* A poisoned gap after each object, so that overflows hit it. */
#define GAP 16
#else
#define POISON(p, n) ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
#define GAP 0
#endif

#define ALIGN 16
#define CHUNK 65536

struct arena_chunk {
    struct arena_chunk *next;
    size_t size;
    _Alignas(ALIGN) char bytes[];
};

static void open_chunk(struct arena *a, size_t need)
{
    size_t size = need > CHUNK ? need : CHUNK;
    struct arena_chunk *c = malloc(sizeof(*c) + size);

    CHECK(c != NULL);
    c->next = a->chunks;
    c->size = size;
    a->chunks = c;
    a->used = 0;
    POISON(c->bytes, size);
}

void *arena_alloc(struct arena *a, size_t size)
{
    CHECK(size <= SIZE_MAX / 2);

    size_t need = (size + GAP + ALIGN - 1) / ALIGN * ALIGN;

    if (!a->chunks || a->chunks->size - a->used < need)
        open_chunk(a, need);

    char *p = a->chunks->bytes + a->used;

    a->used += need;
    UNPOISON(p, size);
    return memset(p, 0, size);
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    CHECK(size == 0 || count <= SIZE_MAX / 2 / size);
    return arena_alloc(a, count * size);
}

char *arena_copy_n(struct arena *a, const char *text, size_t n)
{
    char *copy = arena_alloc(a, n + 1);

    memcpy(copy, text, n);
    return copy;
}

char *arena_copy(struct arena *a, const char *text)
{
    return arena_copy_n(a, text, strlen(text));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    int n = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    CHECK(n >= 0);

    char *text = arena_alloc(a, (size_t)n + 1);

    va_start(args, fmt);
    vsnprintf(text, (size_t)n + 1, fmt, args);
    va_end(args);
    return text;
}

void arena_free(struct arena *a)
{
    struct arena_chunk *c = a->chunks;

    while (c) {
        struct arena_chunk *next = c->next;

        UNPOISON(c->bytes, c->size);
        free(c);
        c = next;
    }
    a->chunks = NULL;
    a->used = 0;
}
