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
 * That the relaxed execution has this cycle is then looked up in its trace
 * (witness_trace.c).
 */
#include <string.h>

#include "verify/verify_witness.h"

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

/* A load of an own store that may have been in the buffer is after no other
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

static void search_init(struct search_cycle *s, const struct witness *w)
{
    *s = (struct search_cycle){
        .w = w,
        .conflict = witness_far_away(w, w->count, sizeof(uint32_t)),
        .conflict_from = witness_far_away(w, w->count, sizeof(uint32_t)),
        .order = witness_far_away(w, w->count, sizeof(uint32_t)),
        .order_from = witness_far_away(w, w->count, sizeof(uint32_t)),
        .threads = witness_far_away(w, w->threads, sizeof(struct way)),
        .writes = witness_far_away(w, w->byte_count, sizeof(struct ways)),
        .touches = witness_far_away(w, w->byte_count, sizeof(struct ways)),
        .created = witness_far_away(w, w->threads, sizeof(uint32_t)),
        .ended = witness_far_away(w, w->threads, sizeof(uint32_t)),
        .own = witness_far_away(w, w->byte_count, sizeof(uint32_t)),
    };
}

/* ---- The cycle ---- */

/* Where the cycle comes back to e: from what its thread did, or, if e touches
 * more than the write does, from what was done to the rest. */
struct closing {
    uint32_t end;
    bool by_order; /* program order leads to e */
};

/* Is what i read at that byte, from its own buffer perhaps, after e? */
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
                    struct witness_cycle *c)
{
    const struct witness *w = s->w;
    uint32_t i = closing->end;
    bool by_order = !closing->by_order && s->order[i] < s->conflict[i];
    uint32_t n = (by_order ? s->order[i] : s->conflict[i]) + 1;
    uint32_t k = n, first = closing->by_order;

    if (n > GOAL_NODES_MAX)
        return false;
    *c = (struct witness_cycle){.length = n};
    c->nodes[first] = WITNESS_E;
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

bool witness_find_cycle(const struct witness *w, struct witness_cycle *c)
{
    struct search_cycle s;
    struct closing closing;

    search_init(&s, w);
    walk(&s);
    return find_end(&s, &closing) && collect(&s, &closing, c);
}
