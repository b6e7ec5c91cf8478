/* SPDX-License-Identifier: MIT
 *
 * Does an execution have the cycle of its witness?  Each edge is looked up in
 * its trace, byte by byte, from what the machine did: when writes reached
 * memory, and where loads looked.  Nothing is reported that is not there.
 */
#include <string.h>

#include "verify/verify_witness.h"

static bool is_step_event(const struct event *e)
{
    switch (e->kind) {
    case EV_CREATE:
    case EV_START:
    case EV_EXIT:
    case EV_JOIN:
        return true;
    default: {
        struct happening h = {.kind = e->kind};

        return happening_accesses(&h);
    }
    }
}

/* The next step of each thread of the trace, which may have other numbers
 * there than on SC. */
struct heads {
    uint32_t *first; /* per thread of SC */
    uint32_t *at;    /* per thread of the trace */
};

static void find_heads(const struct witness *w, const struct trace *t,
                       struct heads *h)
{
    h->first = witness_far_away(w, w->threads, sizeof(*h->first));
    h->at = witness_far_away(w, t->thread_count, sizeof(*h->at));
    for (uint32_t i = 0; i < w->step_count; i++) {
        if (w->steps[i].kind != WITNESS_CHOICE && w->steps[i].first)
            h->first[w->steps[i].thread] = i;
    }
    h->at[0] = h->first[0];
}

/* The event of each step: steps of a thread are its first such events, from the
 * creation of a second one on if the log begins there.  An execution that
 * failed may lack the last ones. */
static void find_events(const struct witness *w, const struct trace *t,
                        uint32_t *events)
{
    struct heads heads;
    bool begun = w->log[0].kind != EV_CREATE;

    find_heads(w, t, &heads);
    for (size_t i = 0; i < t->event_count; i++) {
        const struct event *e = &t->events[i];
        uint32_t at = heads.at[e->thread];

        begun = begun || e->kind == EV_CREATE;
        if (!begun || !is_step_event(e) || at == WITNESS_NONE)
            continue;
        if (e->kind == EV_CREATE && e->value < t->thread_count &&
            w->steps[at].chosen < w->threads)
            heads.at[e->value] = heads.first[w->steps[at].chosen];
        events[at] = (uint32_t)i;
        heads.at[e->thread] = w->steps[at].next;
    }
}

/* When each write reached memory; what is still buffered at the end did not
 * yet, and so is after all else. */
static uint64_t *find_effects(const struct witness *w, const struct trace *t)
{
    uint64_t *effect =
        arena_array(w->arena, t->event_count + 1, sizeof(*effect));

    for (size_t i = 0; i < t->event_count; i++) {
        const struct event *e = &t->events[i];

        effect[i] = e->flags & EVF_BUFFERED ? t->event_count + i : i;
        if (e->kind == EV_COMMIT && e->from)
            effect[e->from - 1] = i;
    }
    return effect;
}

static bool event_changes_memory(const struct event *e)
{
    return e->kind != EV_LOAD && e->kind != EV_CAS_FAIL &&
           e->kind != EV_LOCK_FAIL;
}

/* The own store in the buffer that a load took that byte from, or NOWHERE. */
static uint32_t forwarded_from(const struct trace *t, const uint64_t *effect,
                               uint32_t r, uint64_t at)
{
    const struct event *e = &t->events[r];

    for (uint32_t i = r; e->flags & EVF_FORWARDED && i-- > 0;) {
        const struct event *s = &t->events[i];

        if (s->kind == EV_STORE && s->thread == e->thread &&
            s->object == e->object && at - s->offset < s->size && effect[i] > r)
            return i;
    }
    return WITNESS_NOWHERE;
}

/* Had the write w reached that byte before the read r looked?  A value from
 * the own buffer says nothing about memory. */
static bool was_there(const struct trace *t, const uint64_t *effect, uint32_t w,
                      uint32_t r, uint64_t at)
{
    const struct event *e = &t->events[r];

    if (forwarded_from(t, effect, r, at) != WITNESS_NOWHERE)
        return false;
    if (e->flags & EVF_STALE)
        return e->from && effect[w] <= effect[e->from - 1];
    return effect[w] < r;
}

static bool came_later(const struct trace *t, const uint64_t *effect,
                       uint32_t r, uint32_t w, uint64_t at)
{
    const struct event *e = &t->events[r];
    uint32_t own = forwarded_from(t, effect, r, at);

    if (own != WITNESS_NOWHERE)
        return effect[own] < effect[w];
    if (e->flags & EVF_STALE)
        return !e->from || effect[e->from - 1] < effect[w];
    return effect[w] > r;
}

static bool is_edge_at(const struct trace *t, const uint64_t *effect,
                       uint32_t a, uint32_t b, uint64_t at)
{
    bool first = event_changes_memory(&t->events[a]);
    bool second = event_changes_memory(&t->events[b]);

    if (first && second)
        return effect[a] < effect[b];
    if (second)
        return came_later(t, effect, a, b, at);
    return first && was_there(t, effect, a, b, at);
}

/* Is a before b in the order of conflicts (docs/cycles.md)? */
static bool is_edge(const struct trace *t, const uint64_t *effect, uint32_t a,
                    uint32_t b)
{
    const struct event *x = &t->events[a], *y = &t->events[b];

    if (x->kind == EV_CREATE || y->kind == EV_JOIN)
        return (x->kind == EV_CREATE && y->kind == EV_START &&
                x->value == y->thread) ||
               (x->kind == EV_EXIT && y->kind == EV_JOIN &&
                y->value == x->thread);
    if (x->object != y->object || x->thread == y->thread)
        return false;
    for (uint64_t at = x->offset; at < x->offset + x->size; at++) {
        if (at - y->offset < y->size && is_edge_at(t, effect, a, b, at))
            return true;
    }
    return false;
}

static uint32_t place_of(const struct witness *w, uint32_t node)
{
    return node == WITNESS_E ? w->e_place : w->place[node];
}

/* Of two that are in program order, did the second take effect first? */
static bool is_swapped(const struct witness *w, uint32_t first, uint32_t second)
{
    bool block = first != WITNESS_E && second != WITNESS_E &&
                 witness_block_end(w, first) == witness_block_end(w, second);

    return !block && place_of(w, second) < place_of(w, first);
}

static bool fill(const struct witness *w, const struct trace *t,
                 const struct witness_cycle *found, struct cycle *c,
                 struct cycle_witness *cw)
{
    uint32_t *events = witness_far_away(w, w->step_count, sizeof(*events));
    const uint64_t *effect = find_effects(w, t);

    find_events(w, t, events);
    *c = (struct cycle){.length = found->length};
    memset(cw, 0, sizeof(*cw));
    for (uint32_t i = 0; i < c->length; i++) {
        uint32_t x = found->nodes[i], y = found->nodes[(i + 1) % c->length];
        uint32_t a = events[place_of(w, x)], b = events[place_of(w, y)];

        if (a == WITNESS_NOWHERE || b == WITNESS_NOWHERE)
            return false;
        cw->events[i] = a;
        c->nodes[i].site = t->events[a].site;
        c->nodes[i].pair = found->pairs[i];
        if (found->pairs[i] != GOAL_FIRST) {
            if (!is_edge(t, effect, a, b))
                return false;
        } else if (is_swapped(w, x, y)) {
            cw->reordered |= (uint16_t)(1u << i);
        }
    }
    return cw->reordered;
}

bool witness_check_cycle(const struct witness *w,
                         const struct witness_cycle *found, struct shown *s)
{
    struct cycle c;
    struct cycle_witness cw;

    if (!fill(w, &s->trace, found, &c, &cw))
        return false;
    shown_set_cycle(s, &c, &cw);
    s->fence_count = 0;
    shown_add_fences(&s->trace, &c, &cw, s->fences, &s->fence_count);
    return true;
}
