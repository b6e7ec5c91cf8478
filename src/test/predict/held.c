/* SPDX-License-Identifier: MIT
 *
 * A thread's own entry in its clock counts from 1 and grows when it creates a
 * thread; the new one begins with the creator's clock as it was, and who joins
 * a thread takes over its clock.  So an access of thread a is before one of b
 * if b's clock has a's count.
 *
 * A read lock has an even number in the lock set, a write lock the odd one
 * after it: two readers of a lock have it in common and are not kept apart.
 */
#include "predict/held.h"

#include <stdlib.h>
#include <string.h>

#include "predict/predict_access.h"

#define UNKNOWN UINT32_MAX

struct held_thread {
    uint64_t *clock;
    VEC(uint64_t) locks; /* as in the table, not sorted; one may be twice */
    uint32_t clock_number, lock_number; /* UNKNOWN: changed since */
};

void held_init(struct held *h, struct held_tables *tables,
               const struct trace *t, struct arena *a)
{
    *h = (struct held){.tables = tables, .t = t, .arena = a};
    h->threads = arena_array(a, t->thread_count, sizeof(*h->threads));
    for (size_t i = 0; i < t->thread_count; i++) {
        struct held_thread *th = &h->threads[i];

        th->clock = arena_array(a, t->thread_count, sizeof(*th->clock));
        th->clock[i] = 1;
        th->clock_number = th->lock_number = UNKNOWN;
    }
}

static void create(struct held *h, uint16_t parent, uint64_t child)
{
    struct held_thread *from = &h->threads[parent], *to = &h->threads[child];

    memcpy(to->clock, from->clock, h->t->thread_count * sizeof(*to->clock));
    to->clock[child] = 1;
    from->clock[parent]++;
    to->clock_number = from->clock_number = UNKNOWN;
}

static void join(struct held *h, uint16_t thread, uint64_t ended)
{
    struct held_thread *to = &h->threads[thread], *from = &h->threads[ended];

    for (size_t i = 0; i < h->t->thread_count; i++)
        if (to->clock[i] < from->clock[i])
            to->clock[i] = from->clock[i];
    to->clock_number = UNKNOWN;
}

static void lock(struct held *h, struct held_thread *th, uint64_t lock_key)
{
    VEC_PUSH_IN(h->arena, &th->locks, lock_key);
    th->lock_number = UNKNOWN;
}

/* The last one taken, be it to read or to write. */
static void unlock(struct held_thread *th, uint64_t lock_key)
{
    uint64_t *locks = th->locks.list;
    size_t i = th->locks.count;

    while (i && locks[i - 1] >> 1 != lock_key >> 1)
        i--;
    if (!i)
        return;
    th->locks.count--;
    memmove(&locks[i - 1], &locks[i],
            (th->locks.count - (i - 1)) * sizeof(*locks));
    th->lock_number = UNKNOWN;
}

void held_step(struct held *h, const struct event *e)
{
    bool other = e->value < h->t->thread_count && e->value != e->thread;

    if (e->kind == EV_CREATE && other)
        create(h, e->thread, e->value);
    else if (e->kind == EV_JOIN && other)
        join(h, e->thread, e->value);
    else if (e->kind == EV_LOCK)
        lock(h, &h->threads[e->thread],
             access_address(h->t, e) << 1 | (e->value != 0));
    else if (e->kind == EV_UNLOCK)
        unlock(&h->threads[e->thread], access_address(h->t, e) << 1);
}

uint32_t held_clock(struct held *h, uint16_t thread)
{
    struct held_thread *th = &h->threads[thread];
    size_t n = h->t->thread_count;

    while (n && !th->clock[n - 1])
        n--;
    if (th->clock_number == UNKNOWN)
        th->clock_number =
            intern_add(&h->tables->clocks, th->clock, (uint32_t)n);
    return th->clock_number;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

uint32_t held_locks(struct held *h, uint16_t thread)
{
    struct held_thread *th = &h->threads[thread];
    uint64_t sorted[64];
    /* With more than 64, the first that were taken are enough. */
    size_t count = th->locks.count < 64 ? th->locks.count : 64;
    uint32_t n = 0;

    if (th->lock_number != UNKNOWN)
        return th->lock_number;
    for (size_t i = 0; i < count; i++)
        sorted[i] = th->locks.list[i];
    qsort(sorted, count, sizeof(*sorted), compare);
    for (size_t i = 0; i < count; i++)
        if (!n || sorted[n - 1] != sorted[i])
            sorted[n++] = sorted[i];
    th->lock_number = intern_add(&h->tables->locks, sorted, n);
    return th->lock_number;
}

static uint64_t count_of(const struct interned *clock, uint32_t thread)
{
    return thread < clock->count ? clock->items[thread] : 0;
}

bool held_ordered(const struct held_tables *tables, uint32_t a, uint32_t ca,
                  uint32_t b, uint32_t cb)
{
    const struct interned *x = &VEC_AT(&tables->clocks, ca);
    const struct interned *y = &VEC_AT(&tables->clocks, cb);

    return count_of(y, a) >= count_of(x, a) || count_of(x, b) >= count_of(y, b);
}

bool held_exclude(const struct held_tables *tables, uint32_t a, uint32_t b)
{
    const struct interned *x = &VEC_AT(&tables->locks, a);
    const struct interned *y = &VEC_AT(&tables->locks, b);
    uint32_t i = 0, k = 0;

    while (i < x->count && k < y->count) {
        uint64_t p = x->items[i] >> 1, q = y->items[k] >> 1;

        if (p == q && (x->items[i] | y->items[k]) & 1)
            return true;
        /* A reader that also writes has both numbers: the write comes next. */
        if (x->items[i] < y->items[k])
            i++;
        else
            k++;
    }
    return false;
}
