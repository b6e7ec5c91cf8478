/* SPDX-License-Identifier: MIT
 *
 * Finds the things of a list by what is in them.  The owner keeps the list;
 * the index knows hashes and numbers only.  It gives the numbers: 0, 1, 2, ...
 * in the order in which things are put in, so that a thing's number is its
 * place in the owner's list:
 *
 *     uint32_t n = index_put(&s->index, hash_of(c), same, s, c);
 *
 *     if (n == s->count)
 *         VEC_PUSH(s, *c);
 *
 * Nothing can be taken out, and there is no walk over it: whoever wants all
 * walks over the list, in the order in which things came.
 */
#ifndef BASE_INDEX_H
#define BASE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/check.h"

#define INDEX_NONE UINT32_MAX

struct index_slot {
    uint32_t hash;
    uint32_t number; /* + 1; 0: free */
};

/* A zeroed one is empty, and on the heap until index_free. */
struct index {
    struct index_slot *slots;
    size_t count, room;  /* room: 0 or a power of two, at least 2 * count */
    struct arena *arena; /* not NULL: it lives there */
};

/* Is thing `number` of that owner equal to `key`?  Equal things must have
 * equal hashes. */
typedef bool index_same(const void *owner, uint32_t number, const void *key);

void index_grow(struct index *x);
void index_clear(struct index *x); /* empty again, keeps the memory */
void index_free(struct index *x);

/* All bits of a hash, whatever the owner's looks like. */
static inline uint32_t index_fold(uint64_t hash)
{
    return (uint32_t)((hash ^ hash >> 32) * 0x9e3779b97f4a7c15ull >> 32);
}

static inline struct index_slot *index_slot(const struct index *x,
                                            uint32_t hash, index_same *same,
                                            const void *owner, const void *key)
{
    size_t at = hash & (x->room - 1);

    while (x->slots[at].number && (x->slots[at].hash != hash ||
                                   !same(owner, x->slots[at].number - 1, key)))
        at = (at + 1) & (x->room - 1);
    return &x->slots[at];
}

/* Its number, or INDEX_NONE. */
static inline uint32_t index_find(const struct index *x, uint64_t hash,
                                  index_same *same, const void *owner,
                                  const void *key)
{
    if (!x->count)
        return INDEX_NONE;
    return index_slot(x, index_fold(hash), same, owner, key)->number - 1;
}

/* Its number; that of a new thing is how many there were. */
static inline uint32_t index_put(struct index *x, uint64_t hash,
                                 index_same *same, const void *owner,
                                 const void *key)
{
    if (2 * x->count >= x->room)
        index_grow(x);

    struct index_slot *slot = index_slot(x, index_fold(hash), same, owner, key);

    if (!slot->number) {
        CHECK(x->count < INDEX_NONE - 1);
        *slot = (struct index_slot){index_fold(hash), (uint32_t)++x->count};
    }
    return slot->number - 1;
}

#endif
