/* SPDX-License-Identifier: MIT
 *
 * Which steps of an execution a reader needs.  Memory that one thread alone
 * touches, or only before there was a second thread, explains nothing; nor do
 * steps long before the failure that nothing near it reads from.
 */
#include "report/steps.h"

#include <string.h>

/* Memory in pieces of eight bytes: who touched each. */
struct piece {
    uint64_t offset;
    uint32_t object; /* 0: free slot */
    uint16_t thread; /* the first */
    bool shared;
};

struct pieces {
    struct piece *slots;
    size_t count; /* a power of two */
    struct arena arena;
};

static struct piece *piece_at(const struct pieces *p, uint32_t object,
                              uint64_t offset)
{
    uint64_t h = (offset * 31 + object) * 0x9e3779b97f4a7c15ull;

    for (size_t i = h >> 32;; i++) {
        struct piece *s = &p->slots[i & (p->count - 1)];

        if (s->object == 0 || (s->object == object && s->offset == offset))
            return s;
    }
}

static void touch(const struct pieces *p, const struct event *ev)
{
    struct piece *s = piece_at(p, ev->object, ev->offset / 8);

    if (s->object == 0)
        *s = (struct piece){ev->offset / 8, ev->object, ev->thread, false};
    else if (s->thread != ev->thread)
        s->shared = true;
}

static bool is_access(const struct event *ev)
{
    switch (ev->kind) {
    case EV_LOAD:
    case EV_STORE:
    case EV_COMMIT:
    case EV_RMW:
    case EV_CAS_FAIL:
    case EV_AWAIT:
        return ev->object != 0;
    default:
        return false;
    }
}

static void find_shared(const struct trace *t, struct pieces *p)
{
    bool alone = true;

    p->count = 16;
    while (p->count < t->event_count * 2)
        p->count *= 2;
    p->slots = arena_array(&p->arena, p->count, sizeof(*p->slots));
    for (size_t i = 0; i < t->event_count; i++) {
        const struct event *ev = &t->events[i];

        if (ev->kind == EV_CREATE || ev->thread != 0)
            alone = false;
        if (!alone && is_access(ev))
            touch(p, ev);
    }
}

static bool is_kept(const struct trace *t, const struct pieces *p, size_t i)
{
    const struct event *ev = &t->events[i];

    if (ev->kind == EV_COMMIT && i > 0 && steps_is_prompt(t, i - 1))
        return false;
    if (is_access(ev))
        return piece_at(p, ev->object, ev->offset / 8)->shared;
    switch (ev->kind) {
    case EV_FENCE:
    case EV_CREATE:
    case EV_JOIN:
    case EV_LOCK:
    case EV_LOCK_FAIL:
    case EV_UNLOCK:
    case EV_WAIT:
    case EV_POST:
    case EV_FREE:
    case EV_CHOOSE:
    case EV_OBSERVE:
    case EV_FAIL:
    case EV_STUCK:
        return true;
    default:
        return false;
    }
}

/* The same thread reading the same value in the same place again: a loop that
 * waits.  The last round is enough, or the word that it waits. */
static bool is_repeated(const struct trace *t, size_t i, size_t later)
{
    const struct event *x = &t->events[i], *y = &t->events[later];

    return event_reads(x) && !event_writes(x) && x->thread == y->thread &&
           x->object == y->object && x->offset == y->offset &&
           x->value == y->value &&
           (y->kind == EV_AWAIT || (x->kind == y->kind && x->site == y->site));
}

static void drop_repeated(const struct trace *t, bool *keep)
{
    size_t later = t->event_count;

    for (size_t i = t->event_count; i-- > 0;) {
        if (!keep[i])
            continue;
        if (later < t->event_count && is_repeated(t, i, later))
            keep[i] = false;
        else
            later = i;
    }
}

/* Of too many keep the last, and what they read from or commit. */
static void keep_last(const struct trace *t, bool *keep)
{
    size_t left = STEPS_SHOWN_MAX - 10;
    size_t sources = 10;

    for (size_t i = t->event_count; i-- > 0;) {
        if (keep[i] && left > 0)
            left--;
        else
            keep[i] = false;
    }
    for (size_t i = t->event_count; i-- > 0 && sources > 0;) {
        uint32_t from = keep[i] ? t->events[i].from : 0;

        if (from && !keep[from - 1]) {
            keep[from - 1] = true;
            sources--;
        }
    }
}

static size_t count_kept(const bool *keep, size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += keep[i];
    return count;
}

size_t steps_choose(const struct trace *t, bool *keep)
{
    struct pieces p = {.arena = ARENA_INIT};

    find_shared(t, &p);
    for (size_t i = 0; i < t->event_count; i++)
        keep[i] = is_kept(t, &p, i);
    arena_free(&p.arena);
    drop_repeated(t, keep);
    if (count_kept(keep, t->event_count) > STEPS_SHOWN_MAX)
        keep_last(t, keep);
    return count_kept(keep, t->event_count);
}
