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

static bool same(const void *owner, uint32_t number, const void *key)
{
    const struct interned *x = &VEC_AT((const struct intern *)owner, number);
    const struct interned *y = key;

    return x->count == y->count &&
           (!x->count ||
            memcmp(x->items, y->items, x->count * sizeof(*x->items)) == 0);
}

void intern_init(struct intern *in, struct arena *a)
{
    *in = (struct intern){.index = {.arena = a}};
    CHECK(intern_add(in, NULL, 0) == 0);
}

uint32_t intern_add(struct intern *in, const uint64_t *items, uint32_t count)
{
    struct arena *a = in->index.arena;
    struct interned key = {items, count};
    uint32_t n = index_put(&in->index, hash_of(items, count), same, in, &key);

    if (n == in->count) {
        uint64_t *copy = arena_array(a, count, sizeof(*copy));

        if (count)
            memcpy(copy, items, count * sizeof(*copy));
        VEC_PUSH_IN(a, in, {copy, count});
    }
    return n;
}
