/* SPDX-License-Identifier: MIT
 *
 * The cycle of a witness: e, the write w that it was placed before, the
 * shortest way by happens-before from w to something that its thread did before
 * e, and so to e again by program order.  The way is in D, whose
 * happens-before is that of the SC execution; synchronisation counts as
 * accesses of its objects, creation and join as order.
 *
 * One walk through D finds it: of each event the shortest way there by a
 * conflict, and by program order from such a one.  For a byte the best way to
 * a write of it, and to an access, is enough; two of each, of different
 * threads, for a conflict is between threads.
 *
 * That the relaxed execution has this cycle is then looked up in its trace,
 * edge by edge: nothing is reported that is not there.
 */
#include <string.h>

#include "base/log.h"
#include "verify/witness.h"

#define FAR UINT32_MAX

/* A way that ends at `event`, that many events long. */
struct way {
    uint32_t length, event;
};

/* The best, and the best that ends in another thread than that. */
struct ways {
    struct way best, other;
};

struct search_cycle {
    const struct witness *w;
    /* Per event: the shortest way whose last edge is a conflict, and where it
     * came from; the same for program order; the shorter one. */
    uint32_t *conflict, *conflict_from, *order, *order_from;
    struct way *threads;           /* by conflict, to any event so far */
    struct ways *writes, *touches; /* per byte */
    uint32_t *created, *ended;     /* per thread: CREATE, EXIT */
    uint32_t *own; /* per byte: whose store, if that waits, is the newest */
};

static uint32_t length_of(const struct search_cycle *s, uint32_t i)
{
    return s->conflict[i] < s->order[i] ? s->conflict[i] : s->order[i];
}

static void improve(struct way *best, uint32_t length, uint32_t event)
{
    if (length < best->length)
        *best = (struct way){length, event};
}

static void note_way(const struct search_cycle *s, struct ways *b, uint32_t i)
{
    const struct happening *log = s->w->log;
    uint32_t length = length_of(s, i);
    bool same =
        b->best.length != FAR && log[b->best.event].thread == log[i].thread;

    if (length >= b->best.length) {
        if (!same)
            improve(&b->other, length, i);
        return;
    }
    if (!same)
        b->other = b->best;
    b->best = (struct way){length, i};
}

static void come_from(struct search_cycle *s, uint32_t i, struct way from)
{
    if (from.length == FAR || from.length + 1 >= s->conflict[i])
        return;
    s->conflict[i] = from.length + 1;
    s->conflict_from[i] = from.event;
}

/* A load of an own store that may have been in the buffer is behind no other
 * write; that store is. */
static void come_from_bytes(struct search_cycle *s, uint32_t i)
{
    const struct witness *w = s->w;
    struct witness_role r = witness_role(w, &w->log[i]);

    for (uint32_t k = w->first[i]; k < w->first[i + 1]; k++) {
        const struct ways *b =
            r.writes ? &s->touches[w->bytes[k]] : &s->writes[w->bytes[k]];
        bool own = b->best.length != FAR &&
                   w->log[b->best.event].thread == w->log[i].thread;

        if (r.orders || r.writes || s->own[w->bytes[k]] != w->log[i].thread)
            come_from(s, i, own ? b->other : b->best);
    }
}

static void come_from_thread(struct search_cycle *s, uint32_t i)
{
    const struct happening *h = &s->w->log[i];
    uint32_t from = WITNESS_NOWHERE;

    if (h->kind == EV_START)
        from = s->created[h->thread];
    if (h->kind == EV_JOIN && h->other < s->w->threads)
        from = s->ended[h->other];
    if (from != WITNESS_NOWHERE)
        come_from(s, i, (struct way){length_of(s, from), from});
}

static void note_event(struct search_cycle *s, uint32_t i)
{
    const struct witness *w = s->w;
    const struct happening *h = &w->log[i];
    struct witness_role r = witness_role(w, h);

    if (h->kind == EV_CREATE && h->other < w->threads)
        s->created[h->other] = i;
    if (h->kind == EV_EXIT)
        s->ended[h->thread] = i;
    improve(&s->threads[h->thread], s->conflict[i], i);
    for (uint32_t k = w->first[i]; k < w->first[i + 1]; k++) {
        note_way(s, &s->touches[w->bytes[k]], i);
        if (!r.writes)
            continue;
        note_way(s, &s->writes[w->bytes[k]], i);
        s->own[w->bytes[k]] = r.buffered ? h->thread : WITNESS_NOWHERE;
    }
}

/* The ways to an event but for those through its own atomic block. */
static void arrive(struct search_cycle *s, uint32_t i)
{
    const struct witness *w = s->w;
    const struct way *own = &s->threads[w->log[i].thread];

    if (i == w->write) {
        s->conflict[i] = 1;
    } else {
        come_from_bytes(s, i);
        come_from_thread(s, i);
    }
    if (own->length != FAR) {
        s->order[i] = own->length + 1;
        s->order_from[i] = own->event;
    }
}

/* Who has come to one event of a block has come to all of them. */
static void spread(struct search_cycle *s, uint32_t from, uint32_t to)
{
    struct way best = {FAR, 0};

    for (uint32_t i = from; i <= to; i++)
        improve(&best, s->conflict[i], i);
    for (uint32_t i = from; best.length != FAR && i <= to; i++) {
        if (i == best.event || best.length + 1 >= s->order[i])
            continue;
        s->order[i] = best.length + 1;
        s->order_from[i] = best.event;
    }
}

static void walk(struct search_cycle *s)
{
    const struct witness *w = s->w;
    uint32_t to;

    for (uint32_t from = witness_block_start(w, w->write); from < w->end;
         from = to + 1) {
        to = witness_block_end(w, from);
        if (to >= w->end)
            to = w->end - 1;
        for (uint32_t i = from; i <= to; i++)
            if (w->past[i] && witness_is_step(&w->log[i]))
                arrive(s, i);
        spread(s, from, to);
        for (uint32_t i = from; i <= to; i++)
            if (w->past[i] && witness_is_step(&w->log[i]))
                note_event(s, i);
    }
}

static void *far_away(const struct witness *w, size_t count, size_t size)
{
    void *list = arena_array(w->arena, count + 1, size);

    memset(list, 0xff, (count + 1) * size);
    return list;
}

static void search_init(struct search_cycle *s, const struct witness *w)
{
    *s = (struct search_cycle){
        .w = w,
        .conflict = far_away(w, w->count, sizeof(uint32_t)),
        .conflict_from = far_away(w, w->count, sizeof(uint32_t)),
        .order = far_away(w, w->count, sizeof(uint32_t)),
        .order_from = far_away(w, w->count, sizeof(uint32_t)),
        .threads = far_away(w, w->threads, sizeof(struct way)),
        .writes = far_away(w, w->byte_count, sizeof(struct ways)),
        .touches = far_away(w, w->byte_count, sizeof(struct ways)),
        .created = far_away(w, w->threads, sizeof(uint32_t)),
        .ended = far_away(w, w->threads, sizeof(uint32_t)),
        .own = far_away(w, w->byte_count, sizeof(uint32_t)),
    };
}

/* ---- The cycle, as places ---- */

struct found_cycle {
    uint32_t length;
    uint32_t nodes[GOAL_NODES_MAX]; /* happenings; NODE_E: e */
    uint8_t pairs[GOAL_NODES_MAX];
};

#define NODE_E UINT32_MAX

static uint32_t place_of(const struct witness *w, uint32_t node)
{
    return node == NODE_E ? w->e_place : w->place[node];
}

/* Where the cycle comes back to e: from what its thread did, or, if e touches
 * more than the write does, from what was done to the rest. */
struct closing {
    uint32_t end;
    bool by_order; /* program order leads to e */
};

/* Is what i read at that byte, from its own buffer perhaps, behind e? */
static bool read_later_write(const struct witness *w, uint32_t i, uint32_t byte)
{
    for (uint32_t k = i; k-- > 0;) {
        if (!w->past[k] || !witness_role(w, &w->log[k]).writes)
            continue;
        for (uint32_t b = w->first[k]; b < w->first[k + 1]; b++)
            if (w->bytes[b] == byte)
                return w->place[k] > w->e_place;
    }
    return false;
}

/* Does e come after i, in some byte of both? */
static bool leads_to_e(const struct witness *w, uint32_t i)
{
    bool writes = witness_role(w, &w->log[i]).writes;

    if (w->place[i] > w->e_place ||
        (!writes && !witness_role(w, &w->log[w->e]).writes))
        return false;
    for (uint32_t b = w->first[i]; b < w->first[i + 1]; b++)
        for (uint32_t k = w->first[w->e]; k < w->first[w->e + 1]; k++)
            if (w->bytes[b] == w->bytes[k] &&
                (writes || !read_later_write(w, i, w->bytes[b])))
                return true;
    return false;
}

static bool find_end(const struct search_cycle *s, struct closing *c)
{
    const struct witness *w = s->w;
    const struct way *own = &s->threads[w->report->e_thread];
    uint32_t best = own->length;

    *c = (struct closing){own->event, true};
    for (uint32_t i = w->write + 1; w->e != WITNESS_NOWHERE && i < w->e; i++) {
        if (!w->past[i] || w->log[i].thread == w->report->e_thread ||
            length_of(s, i) >= best || !leads_to_e(w, i))
            continue;
        best = length_of(s, i);
        *c = (struct closing){i, false};
    }
    return best != FAR;
}

/* The cycle begins with e, or with the access of its thread that leads there.
 * The others are collected from the end to w. */
static bool collect(const struct search_cycle *s, const struct closing *closing,
                    struct found_cycle *c)
{
    const struct witness *w = s->w;
    uint32_t i = closing->end;
    bool by_order = !closing->by_order && s->order[i] < s->conflict[i];
    uint32_t n = (by_order ? s->order[i] : s->conflict[i]) + 1;
    uint32_t k = n, first = closing->by_order;

    if (n > GOAL_NODES_MAX)
        return false;
    *c = (struct found_cycle){.length = n};
    c->nodes[first] = NODE_E;
    c->pairs[first] = first ? GOAL_SECOND : GOAL_ALONE;
    if (first) {
        c->nodes[0] = i;
        c->pairs[0] = GOAL_FIRST;
    } else {
        c->nodes[--k] = i;
        c->pairs[k] = by_order ? GOAL_SECOND : GOAL_ALONE;
    }
    while (i != w->write) {
        uint32_t from = by_order ? s->order_from[i] : s->conflict_from[i];
        bool was = by_order;

        by_order = !was && s->order[from] < s->conflict[from];
        c->nodes[--k] = from;
        c->pairs[k] = was ? GOAL_FIRST : by_order ? GOAL_SECOND : GOAL_ALONE;
        i = from;
    }
    return k == first + 1;
}

/* ---- In the trace ---- */

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
    h->first = far_away(w, w->threads, sizeof(*h->first));
    h->at = far_away(w, t->thread_count, sizeof(*h->at));
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
 * yet, and so is behind all else. */
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

/* Of two that are in program order, did the second take effect first? */
static bool is_swapped(const struct witness *w, uint32_t first, uint32_t second)
{
    bool block = first != NODE_E && second != NODE_E &&
                 witness_block_end(w, first) == witness_block_end(w, second);

    return !block && place_of(w, second) < place_of(w, first);
}

static bool fill(const struct witness *w, const struct trace *t,
                 const struct found_cycle *found, struct cycle *c,
                 struct cycle_witness *cw)
{
    uint32_t *events = far_away(w, w->step_count, sizeof(*events));
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

bool witness_find_cycle(const struct witness *w, const struct trace *t,
                        struct finding *f)
{
    struct search_cycle s;
    struct found_cycle found;
    struct cycle c;
    struct cycle_witness cw;
    struct closing closing;

    search_init(&s, w);
    walk(&s);
    if (!find_end(&s, &closing) || !collect(&s, &closing, &found) ||
        !fill(w, t, &found, &c, &cw))
        return false;
    finding_set_cycle(f, &c, &cw);
    f->fence_count = 0;
    finding_add_fences(t, &c, &cw, f->fences, &f->fence_count);
    return true;
}
