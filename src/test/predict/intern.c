/* SPDX-License-Identifier: MIT
 *
 * Clocks and lock sets repeat themselves millions of times; as numbers they
 * are compared at once and fit into an access.
 */
#include "predict/intern.h"

#include <stdbool.h>
#include <string.h>

#include "base/hash.h"

static uint64_t hash_of(const uint64_t *items, uint32_t count)
{
    uint64_t hash = HASH_START;

    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ items[i] ^ hash >> 31) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 32;
}

static bool equal(const struct interned *x, const uint64_t *items,
                  uint32_t count)
{
    return x->count == count &&
           (!count || memcmp(x->items, items, count * sizeof(*items)) == 0);
}

static uint32_t *slot_of(const struct intern *in, const uint64_t *items,
                         uint32_t count)
{
    uint32_t i = (uint32_t)hash_of(items, count) & (in->table_room - 1);

    while (in->table[i] && !equal(&in->list[in->table[i] - 1], items, count))
        i = (i + 1) & (in->table_room - 1);
    return &in->table[i];
}

static void grow(struct intern *in)
{
    struct interned *old = in->list;

    in->room = in->room ? in->room * 4 : 64;
    in->table_room = in->room * 2;
    in->list = arena_array(in->arena, in->room, sizeof(*in->list));
    if (in->count)
        memcpy(in->list, old, in->count * sizeof(*old));
    in->table = arena_array(in->arena, in->table_room, sizeof(*in->table));
    for (uint32_t i = 0; i < in->count; i++)
        *slot_of(in, in->list[i].items, in->list[i].count) = i + 1;
}

void intern_init(struct intern *in, struct arena *a)
{
    *in = (struct intern){.arena = a};
    intern_add(in, NULL, 0);
}

uint32_t intern_add(struct intern *in, const uint64_t *items, uint32_t count)
{
    uint32_t *slot;
    uint64_t *copy;

    if (in->count == in->room)
        grow(in);
    slot = slot_of(in, items, count);
    if (*slot)
        return *slot - 1;
    copy = arena_array(in->arena, count, sizeof(*copy));
    if (count)
        memcpy(copy, items, count * sizeof(*copy));
    in->list[in->count] = (struct interned){copy, count};
    *slot = ++in->count;
    return in->count - 1;
}
