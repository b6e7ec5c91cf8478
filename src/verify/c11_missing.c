/* SPDX-License-Identifier: MIT
 *
 * What a data race lacks.  Often one thread heard of the other: it read what
 * that wrote after its access, but not with an order that makes it known.  Such
 * a read, and the write, get that order in a copy of the execution, and only if
 * the race is gone there is it said.  Else one of the two may hold a mutex that
 * the other does not.
 */
#include <string.h>

#include "verify/c11_axioms.h"
#include "verify/c11_execution.h"

/* Reads that are tried, at most. */
#define TRIALS_MAX 16

struct missing {
    const struct trace *t;
    size_t a, b; /* the two of the race */
    struct event *trial;
    struct buf *out;
};

/* ---- Who heard of whom ---- */

static bool is_until(const struct execution *x, size_t first, size_t then)
{
    size_t m = (size_t)x->node_of[first], n = (size_t)x->node_of[then];

    return first == then || square_has(&x->all, x->hb, m, n);
}

/* Does a come before the write, and b after the read? */
static bool is_between(const struct execution *x, size_t a, size_t write,
                       size_t read, size_t b)
{
    return !(write == a && read == b) && is_until(x, a, write) &&
           is_until(x, read, b);
}

static enum event_order order_of(const struct event *e)
{
    return e->flags & EVF_ORDER;
}

static void strengthen(struct event *e, enum event_order by)
{
    enum event_order now = order_of(e);

    e->flags = (e->flags & ~(uint32_t)EVF_ORDER) |
               (!order_is_atomic(now) ? by : order_join(now, by));
}

/* Is the race gone if these synchronize?  (size_t)-1: as it is. */
static bool would_order(const struct missing *m, size_t write, size_t read)
{
    struct trace trial = *m->t;

    memcpy(m->trial, m->t->events, m->t->event_count * sizeof(*m->trial));
    if (write < m->t->event_count)
        strengthen(&m->trial[write], ORDER_RELEASE);
    if (read < m->t->event_count)
        strengthen(&m->trial[read], ORDER_ACQUIRE);
    trial.events = m->trial;
    return !c11_races(&trial, m->a, m->b);
}

/* ---- Words ---- */

static void put_name(const struct missing *m, size_t event)
{
    const struct event *e = &m->t->events[event];
    const struct fencer_site *s = &m->t->sites[e->site];
    size_t before = m->out->count;

    if (*s->name)
        buf_puts(m->out, s->name);
    else
        trace_place(m->t, e->object, e->offset, m->out);
    if (m->out->count == before)
        buf_puts(m->out, "memory");
}

static void put_line(const struct missing *m, size_t event)
{
    const struct fencer_site *s = &m->t->sites[m->t->events[event].site];

    buf_printf(m->out, " at %s:%u", s->file, s->line);
}

/* "loaded relaxed" */
static void put_how(const struct missing *m, size_t event)
{
    const struct event *e = &m->t->events[event];

    buf_puts(m->out, e->kind == EV_LOAD    ? "loaded "
                     : e->kind == EV_STORE ? "stored "
                                           : "updated ");
    buf_puts(m->out, order_of(e) == ORDER_PLAIN      ? "as plain memory"
                     : order_of(e) == ORDER_VOLATILE ? "as volatile"
                     : order_of(e) == ORDER_ACQUIRE  ? "acquire"
                     : order_of(e) == ORDER_RELEASE  ? "release"
                                                     : "relaxed");
}

static const char *atomic_word(const struct missing *m, size_t event)
{
    return order_of(&m->t->events[event]) < ORDER_RELAXED ? "an atomic " : "";
}

static void put_one(const struct missing *m, size_t event, const char *order)
{
    put_name(m, event);
    put_line(m, event);
    buf_puts(m->out, " is ");
    put_how(m, event);
    buf_printf(m->out, ": %s%s would order it", atomic_word(m, event), order);
}

static void put_both(const struct missing *m, size_t write, size_t read)
{
    if (m->t->events[write].site == m->t->events[read].site) {
        put_one(m, read, "acq_rel");
        return;
    }
    put_name(m, read);
    buf_puts(m->out, " is ");
    put_how(m, write);
    put_line(m, write);
    buf_puts(m->out, " and ");
    put_how(m, read);
    put_line(m, read);
    buf_printf(m->out, ": %srelease and acquire would order it",
               atomic_word(m, read));
}

/* ---- One read ---- */

static bool is_access_of_memory(const struct event *e)
{
    return e->kind == EV_LOAD || e->kind == EV_STORE || e->kind == EV_RMW ||
           e->kind == EV_CAS_FAIL;
}

static bool try_read(const struct missing *m, size_t write, size_t read)
{
    const size_t as_it_is = (size_t)-1;

    if (!is_access_of_memory(&m->t->events[write]) ||
        !is_access_of_memory(&m->t->events[read]))
        return false;
    if (would_order(m, as_it_is, read))
        put_one(m, read, "acquire");
    else if (would_order(m, write, as_it_is))
        put_one(m, write, "release");
    else if (would_order(m, write, read))
        put_both(m, write, read);
    else
        return false;
    return true;
}

static bool find_read(const struct missing *m, const struct execution *x)
{
    unsigned trials = 0;

    for (size_t i = 0; i < m->t->event_count && trials < TRIALS_MAX; i++) {
        const struct event *e = &m->t->events[i];
        size_t from = e->from ? e->from - 1 : i;

        if (from == i || from >= m->t->event_count ||
            m->t->events[from].thread == e->thread ||
            !(is_between(x, m->a, from, i, m->b) ||
              is_between(x, m->b, from, i, m->a)))
            continue;
        trials++;
        if (try_read(m, from, i))
            return true;
    }
    return false;
}

/* ---- Mutexes ---- */

/* The last lock that the thread of that event holds there; or event_count. */
static size_t lock_held(const struct trace *t, size_t event)
{
    size_t held = t->event_count;

    for (size_t i = 0; i < event; i++) {
        const struct event *e = &t->events[i];

        if (e->thread != t->events[event].thread)
            continue;
        if (e->kind == EV_LOCK)
            held = i;
        else if (e->kind == EV_UNLOCK && held < t->event_count &&
                 t->events[held].object == e->object &&
                 t->events[held].offset == e->offset)
            held = t->event_count;
    }
    return held;
}

/* A function that locks *m is called for many a mutex: its place tells which.
 */
static void put_mutex(const struct missing *m, size_t lock)
{
    const struct event *e = &m->t->events[lock];

    if (*m->t->sites[e->site].name == '*' && e->object)
        trace_place(m->t, e->object, e->offset, m->out);
    else
        put_name(m, lock);
}

static void put_holder(const struct missing *m, size_t event, size_t lock)
{
    buf_printf(m->out, "T%u holds ", m->t->events[event].thread);
    if (lock < m->t->event_count)
        put_mutex(m, lock);
    else
        buf_puts(m->out, "no mutex");
}

static bool find_mutex(const struct missing *m)
{
    size_t p = lock_held(m->t, m->a), q = lock_held(m->t, m->b);
    const struct event *e = m->t->events;
    bool none = p == m->t->event_count && q == m->t->event_count;

    if (none || (p < m->t->event_count && q < m->t->event_count &&
                 e[p].object == e[q].object && e[p].offset == e[q].offset))
        return false;
    put_holder(m, m->a, p);
    buf_puts(m->out, " there, and ");
    put_holder(m, m->b, q);
    return true;
}

void c11_missing(const struct trace *t, size_t a, size_t b, struct buf *out)
{
    struct missing m = {.t = t, .a = a, .b = b, .out = out};
    struct execution x;
    struct err e;
    bool found = c11_begin(&x, t, &e);

    if (found) {
        m.trial =
            arena_array(&x.all.arena, t->event_count + 1, sizeof(*m.trial));
        found = find_read(&m, &x) || find_mutex(&m);
    }
    if (!found)
        buf_puts(out, "no lock and no atomic variable orders them");
    arena_free(&x.all.arena);
}
