/* SPDX-License-Identifier: MIT
 *
 * A hash table with open addressing, never more than half full.
 */
#include "seen.h"

#include <stdlib.h>
#include <string.h>

#include "program.h"

const struct fingerprint fingerprint_start = {0x9e3779b97f4a7c15u,
                                              0xc2b2ae3d27d4eb4fu};

static struct fingerprint stir(struct fingerprint f, uint64_t word)
{
    f.a = (f.a ^ word) * 0xff51afd7ed558ccdu;
    f.a ^= f.a >> 32;
    f.b = (f.b + word) * 0xc4ceb9fe1a85ec53u;
    f.b ^= f.b >> 29;
    return f;
}

struct fingerprint fingerprint_add(struct fingerprint f, const void *bytes,
                                   size_t size)
{
    const char *at = bytes;
    uint64_t word;

    for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        f = stir(f, word);
    }
    word = 0;
    memcpy(&word, at, size);
    f = stir(f, word);
    f.a |= 1; /* {0, 0} is an empty slot */
    return f;
}

static void grow(struct seen *s)
{
    size_t old_room = s->room;
    struct fingerprint *old = s->slots;

    s->room = old_room ? 4 * old_room : 4096;
    s->slots = calloc(s->room, sizeof *s->slots);
    REQUIRE(s->slots, "out of memory");
    for (size_t i = 0; i < old_room; i++) {
        size_t at = old[i].b & (s->room - 1);

        if (!old[i].a)
            continue;
        while (s->slots[at].a)
            at = (at + 1) & (s->room - 1);
        s->slots[at] = old[i];
    }
    free(old);
}

bool seen_add(struct seen *s, struct fingerprint f)
{
    size_t at;

    if (2 * (s->count + 1) > s->room)
        grow(s);
    for (at = f.b & (s->room - 1); s->slots[at].a;
         at = (at + 1) & (s->room - 1))
        if (s->slots[at].a == f.a && s->slots[at].b == f.b)
            return false;
    s->slots[at] = f;
    s->count++;
    return true;
}

void seen_free(struct seen *s)
{
    free(s->slots);
    memset(s, 0, sizeof *s);
}
