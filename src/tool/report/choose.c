/* SPDX-License-Identifier: MIT
 *
 * Which steps of an execution a reader needs.  Memory that one thread alone
 * touches, or only before there was a second thread, explains nothing; nor do
 * steps long before the failure that nothing near it reads from.
 */
#include "report/steps.h"

#include "base/index.h"
#include "base/vec.h"

/* Memory in pieces of eight bytes: who touched each. */
struct piece {
    uint64_t offset;
    uint32_t object;
    uint16_t thread; /* the first */
    bool shared;
};

struct pieces {
    VEC(struct piece);
    struct index index;
};

static struct piece piece_of(const struct event *ev)
{
    return (struct piece){ev->offset / 8, ev->object, ev->thread, false};
}

static uint64_t hash_of(const struct piece *p)
{
    return p->offset * 31 + p->object;
}

static bool same_piece(const void *owner, uint32_t number, const void *key)
{
    const struct piece *p = &VEC_AT((const struct pieces *)owner, number);
    const struct piece *other = key;

    return p->object == other->object && p->offset == other->offset;
}

static void touch(struct pieces *p, const struct event *ev)
{
    struct piece now = piece_of(ev);
    uint32_t n = index_put(&p->index, hash_of(&now), same_piece, p, &now);

    if (n == p->count)
        VEC_PUSH(p, now);
    else if (p->list[n].thread != ev->thread)
        p->list[n].shared = true;
}

static bool is_shared(const struct pieces *p, const struct event *ev)
{
    struct piece it = piece_of(ev);
    uint32_t n = index_find(&p->index, hash_of(&it), same_piece, p, &it);

    return n != INDEX_NONE && p->list[n].shared;
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
        return is_shared(p, ev);
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

/* What happened before the first step of the cycle, threads' beginnings aside,
 * is not what went wrong. */
static void drop_before_cycle(const struct trace *t,
                              const struct shown_cycle *cycle, bool *keep)
{
    size_t first = t->event_count;

    for (uint32_t k = 0; k < cycle->length; k++) {
        if (cycle->events[k] < first)
            first = cycle->events[k];
    }
    for (size_t i = 0; cycle->length && i < first; i++) {
        if (t->events[i].kind != EV_CREATE)
            keep[i] = false;
    }
}

/* Memory that another thread only frees is no one's but its own, as far as
 * accesses tell. */
static void keep_cycle(const struct trace *t, const struct shown_cycle *cycle,
                       bool *keep)
{
    for (uint32_t k = 0; k < cycle->length; k++)
        if (cycle->events[k] < t->event_count)
            keep[cycle->events[k]] = true;
}

/* A thread that only makes others, and waits for them, explains nothing; nor do
 * its last steps, if what failed is in another. */
static void drop_makers(const struct trace *t, bool *keep)
{
    struct arena a = ARENA_INIT;
    bool *does = arena_array(&a, t->thread_count, sizeof(bool));

    for (size_t i = 0; i < t->event_count; i++) {
        enum event_kind kind = t->events[i].kind;

        if (keep[i] && kind != EV_CREATE && kind != EV_JOIN)
            does[t->events[i].thread] = true;
    }
    for (size_t i = 0; i < t->event_count; i++) {
        if (!does[t->events[i].thread])
            keep[i] = false;
    }
    arena_free(&a);
}

size_t steps_choose(const struct trace *t, const struct shown_cycle *cycle,
                    bool *keep)
{
    struct pieces p = {0};

    find_shared(t, &p);
    for (size_t i = 0; i < t->event_count; i++)
        keep[i] = is_kept(t, &p, i);
    index_free(&p.index);
    VEC_FREE(&p);
    drop_repeated(t, keep);
    if (count_kept(keep, t->event_count) > STEPS_SHOWN_MAX)
        keep_last(t, keep);
    keep_cycle(t, cycle, keep);
    drop_before_cycle(t, cycle, keep);
    drop_makers(t, keep);
    return count_kept(keep, t->event_count);
}
