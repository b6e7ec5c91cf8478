/* SPDX-License-Identifier: MIT
 *
 * Which events of a trace count.  Most accesses of a program are to memory
 * that one thread only touches, or that is only read: those are dropped here,
 * by words of 8 bytes, which is coarse and cheap.  An access that is kept
 * without need conflicts with nothing later.
 */
#include "predict/predict_access.h"

#include <string.h>

#include "base/check.h"

static bool is_of_object(const struct event *e)
{
    return e->kind == EV_LOCK || e->kind == EV_LOCK_FAIL ||
           e->kind == EV_UNLOCK || e->kind == EV_WAIT || e->kind == EV_POST;
}

static unsigned size_of(const struct event *e)
{
    return is_of_object(e) ? 1 : e->size;
}

bool access_is(const struct trace *t, const struct event *e,
               enum access_scope scope)
{
    bool kind = e->kind == EV_LOAD || e->kind == EV_STORE ||
                e->kind == EV_RMW || e->kind == EV_CAS_FAIL ||
                (scope == ACCESS_OBJECTS_TOO && is_of_object(e));

    return kind && e->size && size_of(e) <= ACCESS_BYTES && e->object &&
           e->object < t->object_count && !(e->flags & EVF_GHOST);
}

static bool reads(const struct event *e)
{
    return e->kind != EV_STORE && e->kind != EV_UNLOCK;
}

static bool writes(const struct event *e)
{
    return e->kind != EV_LOAD && e->kind != EV_CAS_FAIL &&
           e->kind != EV_LOCK_FAIL;
}

/* An object without an address (made by hand) gets one far from all others. */
uint64_t access_address(const struct trace *t, const struct event *e)
{
    const struct trace_object *o = &t->objects[e->object];

    if (o->address || o->kind == OBJECT_OTHER)
        return o->address + e->offset;
    return ((uint64_t)e->object << 48) + e->offset;
}

bool access_overlap(const struct access *a, const struct access *b)
{
    return a->address < b->address + b->size &&
           b->address < a->address + a->size;
}

bool access_conflict(const struct access *a, const struct access *b)
{
    return a->thread != b->thread && (a->writes || b->writes) &&
           access_overlap(a, b);
}

/* ---- Words ---- */

void words_init(struct words *w, struct arena *a)
{
    *w = (struct words){MAP_IN(a)};
}

uint32_t words_add(struct words *w, uint64_t word)
{
    uint64_t *n = map_put(&w->numbers, word);

    if (!*n)
        *n = w->numbers.count;
    return (uint32_t)*n;
}

uint32_t words_find(const struct words *w, uint64_t word)
{
    const uint64_t *n = map_get(&w->numbers, word);

    return n ? (uint32_t)*n : 0;
}

/* ---- Collecting ---- */

enum sharing {
    SEEN = 1 << 16, /* the low bits: the first thread */
    SHARED = 1 << 17,
    WRITTEN = 1 << 18
};

static void note_word(uint64_t *sharing, const struct event *e)
{
    if (!*sharing)
        *sharing = SEEN | e->thread;
    else if ((*sharing & 0xffff) != e->thread)
        *sharing |= SHARED;
    if (writes(e))
        *sharing |= WRITTEN;
}

/* Per word, its first thread, and whether it is shared and written.  Returns
 * how many accesses there are. */
static size_t find_sharing(const struct trace *t, enum access_scope scope,
                           struct map *sharing)
{
    size_t accesses = 0;

    for (size_t i = 0; i < t->event_count; i++) {
        const struct event *e = &t->events[i];

        if (!access_is(t, e, scope))
            continue;

        uint64_t at = access_address(t, e);

        accesses++;
        for (uint64_t word = at >> 3; word <= (at + size_of(e) - 1) >> 3;
             word++)
            note_word(map_put(sharing, word), e);
    }
    return accesses;
}

static bool is_shared(const struct map *sharing, uint64_t at, unsigned size)
{
    for (uint64_t word = at >> 3; word <= (at + size - 1) >> 3; word++) {
        const uint64_t *s = map_get(sharing, word);

        CHECK(s != NULL);
        if (*s & SHARED && *s & WRITTEN)
            return true;
    }
    return false;
}

void access_collect(const struct trace *t, enum access_scope scope,
                    struct arena *a, struct accesses *out)
{
    struct arena scratch = ARENA_INIT;
    struct map sharing = MAP_IN(&scratch);

    CHECK(t->event_count < ACCESS_NONE);
    out->count = 0;
    out->list =
        arena_array(a, find_sharing(t, scope, &sharing), sizeof(*out->list));
    out->of_event = arena_array(a, t->event_count, sizeof(*out->of_event));
    for (size_t i = 0; i < t->event_count; i++) {
        const struct event *e = &t->events[i];

        out->of_event[i] = ACCESS_NONE;
        if (!access_is(t, e, scope))
            continue;

        uint64_t at = access_address(t, e);

        if (!is_shared(&sharing, at, size_of(e)))
            continue;
        out->of_event[i] = out->count;
        out->list[out->count++] = (struct access){.address = at,
                                                  .event = (uint32_t)i,
                                                  .site = e->site,
                                                  .thread = e->thread,
                                                  .size = (uint8_t)size_of(e),
                                                  .reads = reads(e),
                                                  .writes = writes(e)};
    }
    arena_free(&scratch);
}

uint32_t *access_by_thread(const struct accesses *all, size_t threads,
                           struct arena *a, uint32_t *first)
{
    uint32_t *order = arena_array(a, all->count, sizeof(*order));
    uint32_t *next = arena_array(a, threads + 1, sizeof(*next));

    for (uint32_t i = 0; i < all->count; i++)
        next[all->list[i].thread + 1]++;
    for (size_t i = 0; i < threads; i++)
        next[i + 1] += next[i];
    memcpy(first, next, threads * sizeof(*first));
    for (uint32_t i = 0; i < all->count; i++)
        order[next[all->list[i].thread]++] = i;
    return order;
}
