/* SPDX-License-Identifier: MIT
 *
 * An index over entries, as map.h says.
 */
#include "base/map.h"

#include <string.h>

#include "base/hash.h"

static bool same_number(const void *owner, uint32_t number, const void *key)
{
    return VEC_AT((const struct map *)owner, number).key ==
           *(const uint64_t *)key;
}

static bool same_text(const void *owner, uint32_t number, const void *key)
{
    uintptr_t text = VEC_AT((const struct map *)owner, number).key;

    return strcmp((const char *)text, key) == 0;
}

static uint64_t hash_text(const char *text)
{
    return hash_bytes(HASH_START, text, strlen(text));
}

uint64_t *map_put(struct map *m, uint64_t key)
{
    uint32_t n = index_put(&m->index, key, same_number, m, &key);

    if (n == m->count)
        VEC_PUSH_IN(m->index.arena, m, {key, 0});
    return &VEC_AT(m, n).value;
}

uint64_t *map_put_pointer(struct map *m, const void *key)
{
    return map_put(m, (uintptr_t)key);
}

uint64_t *map_put_text(struct map *m, const char *key)
{
    uint32_t n = index_put(&m->index, hash_text(key), same_text, m, key);

    if (n == m->count)
        VEC_PUSH_IN(m->index.arena, m,
                    {(uintptr_t)arena_copy(&m->texts, key), 0});
    return &VEC_AT(m, n).value;
}

static uint64_t *value_of(const struct map *m, uint32_t n)
{
    return n == INDEX_NONE ? NULL : &VEC_AT(m, n).value;
}

uint64_t *map_get(const struct map *m, uint64_t key)
{
    return value_of(m, index_find(&m->index, key, same_number, m, &key));
}

uint64_t *map_get_pointer(const struct map *m, const void *key)
{
    return map_get(m, (uintptr_t)key);
}

uint64_t *map_get_text(const struct map *m, const char *key)
{
    return value_of(m,
                    index_find(&m->index, hash_text(key), same_text, m, key));
}

void map_free(struct map *m)
{
    CHECK(!m->index.arena);
    VEC_FREE(m);
    index_free(&m->index);
    arena_free(&m->texts);
}
