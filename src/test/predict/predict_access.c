/* SPDX-License-Identifier: MIT
 *
 * Which events of a trace count.  Most accesses of a program are to memory
 * that one thread only touches, or that is only read: those are dropped here,
 * by words of 8 bytes, which is coarse and cheap.  An access kept in vain finds
 * nothing that it conflicts with.
 */
#include "predict/predict_access.h"

#include <string.h>

#include "base/check.h"

bool access_is(const struct trace *t, const struct event *e)
{
    bool kind = e->kind == EV_LOAD || e->kind == EV_STORE ||
                e->kind == EV_RMW || e->kind == EV_CAS_FAIL;

    return kind && e->size && e->size <= ACCESS_BYTES && e->object &&
           e->object < t->object_count && !(e->flags & EVF_GHOST);
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

static size_t slot_of(const struct words *w, uint64_t word)
{
    size_t i = (size_t)(word * 0x9e3779b97f4a7c15ull >> 20) & (w->room - 1);

    while (w->keys[i] && w->keys[i] != word + 1)
        i = (i + 1) & (w->room - 1);
    return i;
}

static void make_room(struct words *w, size_t room)
{
    struct words old = *w;

    w->room = room;
    w->keys = arena_array(w->arena, room, sizeof(*w->keys));
    w->numbers = arena_array(w->arena, room, sizeof(*w->numbers));
    for (size_t i = 0; i < old.room; i++) {
        if (!old.keys[i])
            continue;
        size_t to = slot_of(w, old.keys[i] - 1);

        w->keys[to] = old.keys[i];
        w->numbers[to] = old.numbers[i];
    }
}

void words_init(struct words *w, struct arena *a)
{
    *w = (struct words){.arena = a};
    make_room(w, 64);
}

uint32_t words_add(struct words *w, uint64_t word)
{
    size_t i;

    if (w->count * 2 >= w->room)
        make_room(w, w->room * 4);
    i = slot_of(w, word);
    if (!w->keys[i]) {
        w->keys[i] = word + 1;
        w->numbers[i] = (uint32_t)++w->count;
    }
    return w->numbers[i];
}

uint32_t words_find(const struct words *w, uint64_t word)
{
    return w->numbers[slot_of(w, word)];
}

/* ---- Collecting ---- */

enum sharing {
    SHARED = 1 << 16, /* the low bits: the first thread */
    WRITTEN = 1 << 17
};

static void note_word(uint32_t *sharing, const struct event *e, bool is_new)
{
    if (is_new)
        *sharing = e->thread;
    else if ((*sharing & 0xffff) != e->thread)
        *sharing |= SHARED;
    if (e->kind == EV_STORE || e->kind == EV_RMW)
        *sharing |= WRITTEN;
}

/* Per word: its first thread, and whether it is shared and written. */
static uint32_t *find_sharing(const struct trace *t, struct words *w,
                              struct arena *a, size_t *accesses)
{
    size_t room = 64;
    uint32_t *sharing = arena_array(a, room, sizeof(*sharing));

    *accesses = 0;
    for (size_t i = 0; i < t->event_count; i++) {
        const struct event *e = &t->events[i];
        uint64_t at;

        if (!access_is(t, e))
            continue;
        ++*accesses;
        at = access_address(t, e);
        for (uint64_t word = at >> 3; word <= (at + e->size - 1) >> 3; word++) {
            size_t before = w->count;
            uint32_t n = words_add(w, word);

            if (n >= room) {
                uint32_t *more = arena_array(a, room * 4, sizeof(*more));

                memcpy(more, sharing, room * sizeof(*more));
                sharing = more;
                room *= 4;
            }
            note_word(&sharing[n], e, w->count != before);
        }
    }
    return sharing;
}

static bool is_shared(const struct words *w, const uint32_t *sharing,
                      uint64_t at, unsigned size)
{
    for (uint64_t word = at >> 3; word <= (at + size - 1) >> 3; word++) {
        uint32_t s = sharing[words_find(w, word)];

        if (s & SHARED && s & WRITTEN)
            return true;
    }
    return false;
}

void access_collect(const struct trace *t, struct arena *a,
                    struct accesses *out)
{
    struct arena scratch = ARENA_INIT;
    struct words w;
    uint32_t *sharing;
    size_t room;

    words_init(&w, &scratch);
    sharing = find_sharing(t, &w, &scratch, &room);
    CHECK(t->event_count < ACCESS_NONE);
    out->count = 0;
    out->list = arena_array(a, room, sizeof(*out->list));
    out->of_event = arena_array(a, t->event_count, sizeof(*out->of_event));
    for (size_t i = 0; i < t->event_count; i++) {
        const struct event *e = &t->events[i];

        out->of_event[i] = ACCESS_NONE;
        if (!access_is(t, e))
            continue;

        uint64_t at = access_address(t, e);

        if (!is_shared(&w, sharing, at, e->size))
            continue;
        out->of_event[i] = out->count;
        out->list[out->count++] =
            (struct access){.address = at,
                            .event = (uint32_t)i,
                            .site = e->site,
                            .thread = e->thread,
                            .size = e->size,
                            .reads = e->kind != EV_STORE,
                            .writes = e->kind == EV_STORE || e->kind == EV_RMW};
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
