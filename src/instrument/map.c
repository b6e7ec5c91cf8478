/* SPDX-License-Identifier: MIT
 *
 * Open addressing with linear probing, at most half full.
 */
#include "instrument/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/hash.h"

static size_t hash_of(const struct map *m, const void *key)
{
    if (m->strings)
        return hash_bytes(HASH_START, key, strlen(key));

    uint64_t bits = (uintptr_t)key;

    bits *= 0x9e3779b97f4a7c15ull;
    return bits ^ bits >> 32;
}

static bool same(const struct map *m, const void *a, const void *b)
{
    return m->strings ? strcmp(a, b) == 0 : a == b;
}

static struct map_entry *slot(const struct map *m, const void *key)
{
    size_t at = hash_of(m, key) & (m->room - 1);

    while (m->entries[at].key && !same(m, m->entries[at].key, key))
        at = (at + 1) & (m->room - 1);
    return &m->entries[at];
}

static void grow(struct map *m)
{
    struct map old = *m;

    m->room = old.room ? old.room * 2 : 64;
    m->entries = calloc(m->room, sizeof(*m->entries));
    CHECK(m->entries);
    for (size_t i = 0; i < old.room; i++) {
        if (old.entries[i].key)
            *slot(m, old.entries[i].key) = old.entries[i];
    }
    free(old.entries);
}

uint64_t *map_put(struct map *m, const void *key)
{
    if (m->count * 2 >= m->room)
        grow(m);

    struct map_entry *e = slot(m, key);

    if (!e->key) {
        e->key = m->strings ? strdup(key) : key;
        CHECK(e->key);
        m->count++;
    }
    return &e->value;
}

uint64_t *map_get(const struct map *m, const void *key)
{
    if (!m->room)
        return NULL;

    struct map_entry *e = slot(m, key);

    return e->key ? &e->value : NULL;
}

void map_free(struct map *m)
{
    for (size_t i = 0; m->strings && i < m->room; i++)
        free((void *)m->entries[i].key);
    free(m->entries);
    *m = (struct map){.strings = m->strings};
}
