/* SPDX-License-Identifier: MIT
 *
 * Numbers that stand for what an execution did: equal numbers, equal doings
 * (64 bits; a mistake would need billions of executions).
 */
#include <stdlib.h>
#include <string.h>

#include "expose/expose_inside.h"

static void grow(struct keys *k)
{
    struct keys old = *k;

    k->room = old.room ? old.room * 2 : 64;
    k->slots = calloc(k->room, sizeof(*k->slots));
    CHECK(k->slots != NULL);
    k->count = 0;
    for (size_t i = 0; i < old.room; i++) {
        if (old.slots[i])
            keys_add(k, old.slots[i]);
    }
    free(old.slots);
}

static size_t slot_of(const struct keys *k, uint64_t key)
{
    size_t i = (size_t)(key >> 7);

    while (k->slots[i & (k->room - 1)] && k->slots[i & (k->room - 1)] != key)
        i++;
    return i & (k->room - 1);
}

bool keys_have(const struct keys *k, uint64_t key)
{
    key += key == 0;
    return k->room && k->slots[slot_of(k, key)] == key;
}

bool keys_add(struct keys *k, uint64_t key)
{
    key += key == 0;
    if (k->count * 2 >= k->room)
        grow(k);

    size_t i = slot_of(k, key);

    if (k->slots[i] == key)
        return false;
    k->slots[i] = key;
    k->count++;
    return true;
}

void keys_free(struct keys *k)
{
    free(k->slots);
    *k = (struct keys){NULL, 0, 0};
}
