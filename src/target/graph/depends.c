/* SPDX-License-Identifier: MIT
 *
 * Records of dependencies, interned: depends.h.
 */
#include "graph/depends.h"

#include <string.h>

#include "event/must.h"

bool depends_add(struct depends_table *t, struct depends_set *s, unsigned place)
{
    if (place >= DEPENDS_PLACES) {
        t->full = true;
        return false;
    }
    s->word[place / 64] |= 1ull << place % 64;
    return true;
}

static const struct depends nothing;

static uint32_t slot_of(const struct depends *d)
{
    const uint64_t *word = d->sets[0].word;
    uint64_t h = 0;

    for (size_t i = 0; i < sizeof *d / sizeof *word; i++)
        h = (h ^ word[i]) * 0x9e3779b97f4a7c15ull;
    return (uint32_t)(h >> 40) % (2 * DEPENDS_MAX);
}

uint32_t depends_intern(struct depends_table *t, const struct depends *d)
{
    uint32_t i = slot_of(d);

    if (memcmp(d, &nothing, sizeof *d) == 0)
        return 0;
    while (t->slots[i] &&
           memcmp(depends_get(t, t->slots[i]), d, sizeof *d) != 0)
        i = (i + 1) % (2 * DEPENDS_MAX);
    if (t->slots[i])
        return t->slots[i];
    if (t->count == DEPENDS_MAX) {
        t->full = true;
        return 0;
    }
    t->records[t->count] = *d;
    t->slots[i] = ++t->count;
    return t->count;
}

const struct depends *depends_get(const struct depends_table *t,
                                  uint32_t number)
{
    MUST(number <= t->count);
    return number ? &t->records[number - 1] : &nothing;
}

void depends_forget(struct depends_table *t)
{
    if (t->count)
        memset(t->slots, 0, sizeof t->slots);
    t->count = 0;
    t->full = false;
}
