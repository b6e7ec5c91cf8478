/* SPDX-License-Identifier: MIT
 *
 * How often loop instances may come round: a table by key, with room for more
 * than half again what is in it.  Key 0 is never one.
 */
#include <stdlib.h>

#include "flat/flat.h"

struct entry {
    uint64_t key;
    uint32_t bound;
};

struct flat_bounds {
    struct entry *table;
    size_t count, room;
};

struct flat_bounds *flat_bounds_new(void)
{
    struct flat_bounds *b = calloc(1, sizeof(*b));

    CHECK(b != NULL);
    b->room = 16;
    b->table = calloc(b->room, sizeof(*b->table));
    CHECK(b->table != NULL);
    return b;
}

void flat_bounds_free(struct flat_bounds *b)
{
    if (!b)
        return;
    free(b->table);
    free(b);
}

static struct entry *slot_of(const struct flat_bounds *b, uint64_t key)
{
    size_t i = key & (b->room - 1);

    while (b->table[i].key && b->table[i].key != key)
        i = (i + 1) & (b->room - 1);
    return &b->table[i];
}

static void double_room(struct flat_bounds *b)
{
    struct entry *old = b->table;
    size_t room = b->room;

    b->room *= 2;
    b->table = calloc(b->room, sizeof(*b->table));
    CHECK(b->table != NULL);
    for (size_t i = 0; i < room; i++)
        if (old[i].key)
            *slot_of(b, old[i].key) = old[i];
    free(old);
}

void flat_bounds_grow(struct flat_bounds *b, uint64_t key)
{
    struct entry *e;

    CHECK(key != 0);
    if (b->count * 2 >= b->room)
        double_room(b);
    e = slot_of(b, key);
    if (!e->key) {
        *e = (struct entry){key, 1};
        b->count++;
    }
    e->bound++;
}

uint32_t flat_bounds_get(const struct flat_bounds *b, uint64_t key)
{
    const struct entry *e = slot_of(b, key);

    return e->key ? e->bound : 1;
}
