/* SPDX-License-Identifier: MIT
 *
 * How much a reader needs each step of an execution.  The cycle and the end are
 * never left out.  Next come the steps that they have their values from:
 * backwards from a load to its store, from a store to what its line read.
 */
#include "report/steps.h"

#include "base/arena.h"

struct slice {
    const struct trace *trace;
    bool *has;       /* by event */
    uint32_t *queue; /* those whose sources are to be added */
    size_t count;
};

static void add(struct slice *s, size_t i)
{
    if (s->has[i])
        return;
    s->has[i] = true;
    s->queue[s->count++] = (uint32_t)i;
}

static bool is_end(const struct event *ev)
{
    return ev->kind == EV_FAIL || ev->kind == EV_STUCK ||
           ev->kind == EV_AWAIT || ev->kind == EV_OBSERVE;
}

/* What the thread read on the line of that step, just before it. */
static void add_same_line(struct slice *s, size_t i)
{
    const struct trace *t = s->trace;
    const struct event *ev = &t->events[i];

    for (size_t k = i; k-- > 0;) {
        const struct event *before = &t->events[k];

        if (before->thread != ev->thread || before->kind == EV_COMMIT)
            continue;
        if (t->sites[before->site].line != t->sites[ev->site].line)
            return;
        if (event_reads(before))
            add(s, k);
    }
}

static void add_sources(struct slice *s)
{
    for (size_t at = 0; at < s->count; at++) {
        const struct event *ev = &s->trace->events[s->queue[at]];

        if (ev->from)
            add(s, ev->from - 1);
        if (!event_reads(ev) || is_end(ev))
            add_same_line(s, s->queue[at]);
    }
}

static enum step_rank rank_of(const struct event *ev)
{
    switch (ev->kind) {
    case EV_CREATE:
    case EV_JOIN:
        return STEP_FRAME;
    case EV_FENCE:
        return ev->flags >> EVF_FENCE_SHIFT ? STEP_OTHER : STEP_FRAME;
    case EV_COMMIT:
        return STEP_COMMIT;
    case EV_LOAD:
    case EV_CAS_FAIL:
        return STEP_READ;
    default:
        return STEP_OTHER;
    }
}

static bool is_of_cycle(const struct event *events, size_t i,
                        const uint32_t *cycle, uint32_t length)
{
    size_t own =
        events[i].kind == EV_COMMIT && events[i].from ? events[i].from - 1 : i;

    for (uint32_t k = 0; k < length; k++) {
        if (cycle[k] == own)
            return true;
    }
    return false;
}

void steps_rank(const struct trace *t, const uint32_t *cycle, uint32_t length,
                uint8_t *rank)
{
    struct arena scratch = ARENA_INIT;
    struct slice s = {
        .trace = t,
        .has = arena_array(&scratch, t->event_count + 1, sizeof(*s.has)),
        .queue = arena_array(&scratch, t->event_count + 1, sizeof(*s.queue))};

    for (uint32_t k = 0; k < length; k++)
        add(&s, cycle[k]);
    for (size_t i = 0; i < t->event_count; i++) {
        if (is_end(&t->events[i]))
            add(&s, i);
    }
    add_sources(&s);
    for (size_t i = 0; i < t->event_count; i++) {
        if (is_end(&t->events[i]) || is_of_cycle(t->events, i, cycle, length))
            rank[i] = STEP_NEEDED;
        else
            rank[i] = s.has[i] ? STEP_SOURCE : (uint8_t)rank_of(&t->events[i]);
    }
    arena_free(&scratch);
}
