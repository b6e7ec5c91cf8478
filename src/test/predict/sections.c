/* SPDX-License-Identifier: MIT
 *
 * The order in which two critical sections of one lock came was chance, unless
 * they contain conflicting accesses: then swapping them changes what is read.
 * Only such sections are ordered here (docs/cycles.md); taking all would hide
 * most races behind locks that have nothing to do with them.
 *
 * For each lock and word of memory we remember which bytes of it each thread
 * read and wrote in its sections, and the last section that did.  A later
 * section of the thread is after an earlier one, so the last is enough.
 */
#include "predict/sections.h"

#include <string.h>

#define NO_SECTION UINT32_MAX
/* Clocks of sections kept; beyond that their order counts as chance. */
#define CLOCKS_MAX (64u << 20)

struct section {
    uint32_t lock, thread;
    uint32_t first, end; /* of the thread's accesses */
    uint32_t *clock;     /* at its end */
    bool to_read;
};

/* What a thread's sections of a lock do with a word. */
struct use {
    uint32_t section, older; /* older: number + 1 */
    uint8_t reads, writes;   /* bits of bytes */
};

struct sections {
    const struct accesses *all;
    uint32_t *by_thread; /* accesses, in program order */
    VEC(struct section);
    uint32_t threads;
    uint32_t *of_event; /* LOCK and UNLOCK: section */
    struct words locks; /* addresses */
    struct map newest;  /* lock and word to their last use, + 1 */
    VEC(struct use) uses;
    uint64_t clocks;
    struct arena *arena;
};

/* ---- Finding them ---- */

/* An UNLOCK ends the last open section of its lock and thread. */
static void end_section(struct sections *s, const struct trace *t, uint32_t i,
                        uint32_t at, uint32_t *open)
{
    const struct event *e = &t->events[i];
    uint32_t lock = words_add(&s->locks, access_address(t, e));
    uint32_t n = open[e->thread];

    /* While a section is open, its `end` leads to the one opened before. */
    for (uint32_t *from = &open[e->thread]; n != NO_SECTION;
         from = &s->list[n].end, n = *from)
        if (s->list[n].lock == lock) {
            *from = s->list[n].end;
            s->list[n].end = at;
            s->of_event[i] = n;
            return;
        }
}

static void begin_section(struct sections *s, const struct trace *t, uint32_t i,
                          uint32_t at, uint32_t *open)
{
    const struct event *e = &t->events[i];

    s->of_event[i] = (uint32_t)s->count;
    VEC_PUSH_IN(s->arena, s,
                {.lock = words_add(&s->locks, access_address(t, e)),
                 .thread = e->thread,
                 .first = at,
                 .end = open[e->thread],
                 .to_read = e->value == 0});
    open[e->thread] = s->of_event[i];
}

/* Sections that never end reach to the end of their thread. */
static void end_all(struct sections *s, const uint32_t *open,
                    const uint32_t *at)
{
    for (uint32_t i = 0; i < s->threads; i++)
        for (uint32_t n = open[i], next; n != NO_SECTION; n = next) {
            next = s->list[n].end;
            s->list[n].end = at[i];
        }
}

struct sections *sections_new(const struct trace *t, const struct accesses *all,
                              struct arena *a)
{
    struct sections *s = arena_alloc(a, sizeof(*s));
    uint32_t *at = arena_array(a, t->thread_count, sizeof(*at));
    uint32_t *open = arena_array(a, t->thread_count, sizeof(*open));

    *s = (struct sections){.all = all,
                           .arena = a,
                           .newest = MAP_IN(a),
                           .threads = (uint32_t)t->thread_count};
    s->by_thread = access_by_thread(all, t->thread_count, a, at);
    words_init(&s->locks, a);
    s->of_event = arena_array(a, t->event_count, sizeof(*s->of_event));
    memset(open, 0xff, t->thread_count * sizeof(*open));
    for (uint32_t i = 0; i < t->event_count; i++) {
        uint16_t thread = t->events[i].thread;

        s->of_event[i] = NO_SECTION;
        if (t->events[i].kind == EV_LOCK)
            begin_section(s, t, i, at[thread], open);
        else if (t->events[i].kind == EV_UNLOCK)
            end_section(s, t, i, at[thread], open);
        if (all->of_event[i] != ACCESS_NONE)
            at[thread]++;
    }
    end_all(s, open, at);
    return s;
}

/* ---- Ordering them ---- */

static uint8_t bytes_in(const struct access *a, uint64_t word)
{
    uint8_t bits = 0;

    for (uint64_t i = 0; i < 8; i++)
        if (word * 8 + i - a->address < a->size)
            bits |= (uint8_t)(1u << i);
    return bits;
}

/* All uses of that word under that lock: the list's head. */
static uint64_t *uses_of(struct sections *s, uint32_t lock, uint64_t word)
{
    return map_put(&s->newest, ((uint64_t)lock << 48) ^ word);
}

static void join(uint32_t *clock, const uint32_t *other, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (clock[i] < other[i])
            clock[i] = other[i];
}

static void order_after(struct sections *s, const struct section *now,
                        uint64_t word, uint8_t reads, uint8_t writes,
                        uint32_t *clock)
{
    uint64_t n = *uses_of(s, now->lock, word);

    for (; n; n = s->uses.list[n - 1].older) {
        const struct use *u = &VEC_AT(&s->uses, n - 1);
        const struct section *then = &s->list[u->section];
        uint8_t clash = (u->writes & (reads | writes)) | (u->reads & writes);

        if (clash && then->thread != now->thread &&
            !(then->to_read && now->to_read))
            join(clock, then->clock, s->threads);
    }
}

static void remember(struct sections *s, uint32_t section, uint64_t word,
                     uint8_t reads, uint8_t writes)
{
    const struct section *now = &s->list[section];
    uint64_t *head = uses_of(s, now->lock, word);

    for (uint64_t n = *head; n; n = s->uses.list[n - 1].older) {
        struct use *u = &VEC_AT(&s->uses, n - 1);
        const struct section *then = &s->list[u->section];

        if (then->thread == now->thread && then->to_read == now->to_read &&
            u->reads == reads && u->writes == writes) {
            u->section = section;
            return;
        }
    }
    VEC_PUSH_IN(s->arena, &s->uses, {section, (uint32_t)*head, reads, writes});
    *head = s->uses.count;
}

void sections_begin(struct sections *s, uint32_t lock, uint32_t *clock)
{
    const struct section *now;

    if (s->of_event[lock] == NO_SECTION)
        return;
    now = &s->list[s->of_event[lock]];
    CHECK(now->first <= now->end);
    for (uint32_t i = now->first; i < now->end; i++) {
        const struct access *a = &s->all->list[s->by_thread[i]];
        uint64_t last = (a->address + a->size - 1) >> 3;

        for (uint64_t word = a->address >> 3; word <= last; word++) {
            uint8_t bytes = bytes_in(a, word);

            order_after(s, now, word, a->reads ? bytes : 0,
                        a->writes ? bytes : 0, clock);
        }
    }
}

void sections_end(struct sections *s, uint32_t unlock, const uint32_t *clock)
{
    uint32_t number = s->of_event[unlock];
    struct section *now;

    if (number == NO_SECTION || s->clocks + s->threads > CLOCKS_MAX)
        return;
    now = &s->list[number];
    CHECK(!now->clock && now->first <= now->end); /* it ends once */
    s->clocks += s->threads;
    now->clock = arena_array(s->arena, s->threads, sizeof(*now->clock));
    memcpy(now->clock, clock, s->threads * sizeof(*clock));
    for (uint32_t i = now->first; i < now->end; i++) {
        const struct access *a = &s->all->list[s->by_thread[i]];
        uint64_t last = (a->address + a->size - 1) >> 3;

        for (uint64_t word = a->address >> 3; word <= last; word++) {
            uint8_t bytes = bytes_in(a, word);

            remember(s, number, word, a->reads ? bytes : 0,
                     a->writes ? bytes : 0);
        }
    }
}
