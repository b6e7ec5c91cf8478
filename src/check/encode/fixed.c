/* SPDX-License-Identifier: MIT
 *
 * What create and join order in every execution: per event, how many events of
 * each thread are before it.
 */
#include <string.h>

#include "base/check.h"
#include "encode/encode_inside.h"

static uint32_t *clock_of(const struct fixed *x, uint32_t event)
{
    return x->clock + (size_t)event * x->threads;
}

static void merge(const struct fixed *x, uint32_t *to, const uint32_t *from)
{
    for (uint32_t i = 0; i < x->threads; i++) {
        if (from[i] > to[i])
            to[i] = from[i];
    }
}

/* Clocks of one thread; a join is counted only for what is not executed
 * without it.  Threads that are joined are created before, so this ends. */
static void walk(struct fixed *x, const struct flat *f, uint32_t thread,
                 bool *done)
{
    const struct flat_thread *t = &f->threads[thread];
    uint32_t now[x->threads];

    if (done[thread])
        return;
    done[thread] = true;
    memset(now, 0, sizeof now);
    if (t->create != LSL_NONE) {
        CHECK(f->events[t->create].thread < thread);
        walk(x, f, f->events[t->create].thread, done);
        merge(x, now, clock_of(x, t->create));
        now[f->events[t->create].thread] =
            t->create - f->threads[f->events[t->create].thread].first + 1;
    }
    for (uint32_t i = 0; i < t->count; i++) {
        now[thread] = i;
        memcpy(clock_of(x, t->first + i), now, sizeof now);
    }
}

/* Second round: what a join adds to the events after it. */
static void add_join(struct fixed *x, const struct flat *f, uint32_t join)
{
    const struct flat_event *j = &f->events[join];
    const struct flat_thread *t = &f->threads[j->thread];
    const struct flat_thread *other = &f->threads[j->other];
    uint32_t end[x->threads];

    if (other->count == 0)
        return;
    memcpy(end, clock_of(x, other->first + other->count - 1), sizeof end);
    end[j->other] = other->count;
    for (uint32_t e = join + 1; e < t->first + t->count; e++) {
        if (fixed_implies(f, f->events[e].guard, j->guard))
            merge(x, clock_of(x, e), end);
    }
}

void fixed_find(struct fixed *x, const struct flat *f, struct arena *a)
{
    bool *done = arena_array(a, f->thread_count, sizeof *done);

    x->threads = f->thread_count;
    x->clock = arena_array(a, (size_t)f->event_count * f->thread_count + 1,
                           sizeof *x->clock);
    for (uint32_t t = 0; t < f->thread_count; t++)
        walk(x, f, t, done);
    /* Joins in order of program and creation see the joins before them. */
    for (uint32_t t = f->thread_count; t-- > 0;) {
        for (uint32_t i = 0; i < f->threads[t].count; i++) {
            uint32_t e = f->threads[t].first + i;

            if (f->events[e].kind == FLAT_JOIN)
                add_join(x, f, e);
        }
    }
}

bool fixed_before(const struct fixed *x, const struct flat *f, uint32_t first,
                  uint32_t second)
{
    uint32_t thread = f->events[first].thread;

    CHECK(thread < x->threads && first >= f->threads[thread].first);
    return clock_of(x, second)[thread] > first - f->threads[thread].first;
}

/* Guards are conjunctions that grow along the program; a look that takes too
 * long is given up, which only costs knowledge. */
static bool implies(const struct flat *f, uint32_t a, uint32_t b, int *steps)
{
    const struct flat_value *x = &f->values[a], *y = &f->values[b];

    if (a == b || b == FLAT_TRUE)
        return true;
    if (--*steps < 0)
        return false;
    if (y->op == FLAT_AND)
        return implies(f, a, y->a, steps) && implies(f, a, y->b, steps);
    return x->op == FLAT_AND &&
           (implies(f, x->a, b, steps) || implies(f, x->b, b, steps));
}

bool fixed_implies(const struct flat *f, uint32_t a, uint32_t b)
{
    int steps = 400;

    return implies(f, a, b, &steps);
}
