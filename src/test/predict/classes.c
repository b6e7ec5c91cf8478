/* SPDX-License-Identifier: MIT
 *
 * All that the edges of a predicted cycle depend on is in a class, so nothing
 * is lost by looking at classes instead of accesses, and a loop that goes
 * round a million times is as long as its body.
 */
#include "predict/classes.h"

#include <string.h>

#include "base/check.h"

static bool equal(const struct class *a, const struct class *b)
{
    return a->at.address == b->at.address && a->at.site == b->at.site &&
           a->at.thread == b->at.thread && a->at.size == b->at.size &&
           a->at.reads == b->at.reads && a->at.writes == b->at.writes &&
           a->clock == b->clock && a->locks == b->locks;
}

static bool same(const void *owner, uint32_t number, const void *key)
{
    return equal(&VEC_AT((const struct classes *)owner, number), key);
}

static uint64_t hash_of(const struct class *c)
{
    uint64_t hash = c->at.address * 0x9e3779b97f4a7c15ull;

    hash = (hash ^ hash >> 29 ^ c->at.site) * 0xbf58476d1ce4e5b9ull;
    hash = (hash ^ hash >> 31 ^ c->at.thread ^ (uint64_t)c->locks << 16) *
           0x94d049bb133111ebull;
    return hash ^ hash >> 32 ^ c->clock;
}

void classes_fini(struct classes *s)
{
    VEC_FREE(s);
    index_free(&s->index);
}

uint32_t classes_find(const struct classes *s, const struct class *c)
{
    return index_find(&s->index, hash_of(c), same, s, c);
}

uint32_t classes_add(struct classes *s, const struct class *c)
{
    uint32_t n = index_put(&s->index, hash_of(c), same, s, c);

    if (n == s->count)
        VEC_PUSH(s, *c);
    return n;
}

bool class_may_race(const struct held_tables *tables, const struct class *a,
                    const struct class *b)
{
    return access_conflict(&a->at, &b->at) &&
           !held_ordered(tables, a->at.thread, a->clock, b->at.thread,
                         b->clock) &&
           !held_exclude(tables, a->locks, b->locks);
}

/* ---- By word ---- */

static uint64_t last_word(const struct class *c)
{
    return (c->at.address + c->at.size - 1) >> 3;
}

/* Words that two threads share are two; should a made-up key meet a real one,
 * the caller sees classes that share no word. */
static uint64_t key_of(const struct class_index *ix, const struct class *c,
                       uint64_t word)
{
    return ix->by_thread ? word ^ (uint64_t)c->at.thread << 48 : word;
}

void class_index_init(struct class_index *ix, const struct classes *s,
                      bool by_thread, struct arena *a)
{
    size_t all = 0;

    words_init(&ix->words, a);
    ix->by_thread = by_thread;
    for (uint32_t i = 0; i < s->count; i++)
        for (uint64_t w = s->list[i].at.address >> 3;
             w <= last_word(&s->list[i]); w++, all++)
            words_add(&ix->words, key_of(ix, &s->list[i], w));
    ix->first = arena_array(a, ix->words.numbers.count + 3, sizeof(*ix->first));
    ix->list = arena_array(a, all, sizeof(*ix->list));
    /* Count two places further on, so that filling moves each to its own. */
    for (uint32_t i = 0; i < s->count; i++)
        for (uint64_t w = s->list[i].at.address >> 3;
             w <= last_word(&s->list[i]); w++)
            ix->first[words_find(&ix->words, key_of(ix, &s->list[i], w)) + 2]++;
    for (size_t i = 0; i < ix->words.numbers.count + 2; i++)
        ix->first[i + 1] += ix->first[i];
    for (uint32_t i = 0; i < s->count; i++)
        for (uint64_t w = s->list[i].at.address >> 3;
             w <= last_word(&s->list[i]); w++) {
            uint32_t n = words_find(&ix->words, key_of(ix, &s->list[i], w));

            ix->list[ix->first[n + 1]++] = i;
        }
}

void class_index_visit(const struct class_index *ix, const struct classes *s,
                       uint32_t c, class_index_fn *visit, void *context)
{
    for (uint64_t w = s->list[c].at.address >> 3; w <= last_word(&s->list[c]);
         w++) {
        uint32_t n = words_find(&ix->words, key_of(ix, &s->list[c], w));

        CHECK(n > 0); /* each class was put in */
        for (uint32_t i = ix->first[n]; i < ix->first[n + 1]; i++)
            if (ix->list[i] != c)
                visit(context, c, ix->list[i]);
    }
}
