/* SPDX-License-Identifier: MIT
 *
 * The order in which D and e take effect.  What happened on SC, in the order it
 * happened, is in an order that the model allows: its order is part of
 * happens-before.  So everything that is not after the write comes first, as
 * it came; then e; then the write and what is after it, as it came.
 *
 *      SC:        x=1  y=1 | r=y  (r=x: e before x=1)       PSO, MP
 *      witness:   y=1  r=y   e   x=1
 */
#include <string.h>

#include "base/check.h"
#include "verify/verify_witness.h"

/* A store that waits for nothing: after it comes a full fence, of which nobody
 * can say in advance that it drains (a call to code that is not known).  It may
 * as well be issued when its turn comes. */
static bool drains_next(const struct witness *w, uint32_t i)
{
    uint32_t next = w->next[i];

    return next != WITNESS_NOWHERE && w->log[next].kind == EV_FENCE &&
           witness_role(w, &w->log[next]).before & FENCE_FULL;
}

static enum witness_kind kind_of(const struct witness *w,
                                 const struct happening *h, bool late)
{
    struct witness_role r = witness_role(w, h);

    if (!happening_accesses(h))
        return WITNESS_FREE;
    if (r.buffered)
        return late || (r.before | r.after) & FENCE_FULL ? WITNESS_LATE
                                                         : WITNESS_STORE;
    return r.orders ? WITNESS_NOW : WITNESS_LOAD;
}

/* ---- Places ---- */

/* Of the atomic block that e is in, done with it. */
static bool is_with_e(const struct witness *w, uint32_t i)
{
    return w->e != WITNESS_NOWHERE && w->log[w->e].flags & HAPPENED_BLOCK &&
           i < w->e && witness_block_end(w, i) >= w->e;
}

static void give_places(struct witness *w)
{
    w->place = arena_array(w->arena, w->count + 1, sizeof(*w->place));
    for (int part = 0; part < 3; part++) {
        for (uint32_t i = 0; i < w->end; i++) {
            int of = is_with_e(w, i) ? 1 : w->after[i] ? 2 : 0;

            if (w->past[i] && witness_is_step(&w->log[i]) && of == part)
                w->place[i] = w->step_count++;
        }
        if (part == 1)
            w->e_place = w->step_count++;
    }
}

/* ---- Steps ---- */

/* Steps of one thread are a chain; `newest` has its end. */
static void append(struct witness *w, uint32_t *newest, uint32_t thread,
                   uint32_t place, enum witness_kind kind)
{
    w->steps[place] =
        (struct witness_step){.thread = (uint16_t)thread,
                              .kind = (uint8_t)kind,
                              .first = newest[thread] == WITNESS_NONE,
                              .next = WITNESS_NONE,
                              .chosen = WITNESS_NONE};
    if (newest[thread] != WITNESS_NONE)
        w->steps[newest[thread]].next = place;
    newest[thread] = place;
}

static uint32_t *no_newest(const struct witness *w)
{
    uint32_t *newest = arena_array(w->arena, w->threads + 1, sizeof(*newest));

    memset(newest, 0xff, (w->threads + 1) * sizeof(*newest));
    return newest;
}

static void add_e(struct witness *w, uint32_t *newest)
{
    struct happening h = {.kind = (uint8_t)w->report->e_kind};
    bool late = false;

    if (w->e != WITNESS_NOWHERE) {
        h = w->log[w->e];
        late = drains_next(w, w->e);
    }
    append(w, newest, w->report->e_thread, w->e_place, kind_of(w, &h, late));
}

/* Who chose what, from the decisions: a choice is made by who ran last. */
static void add_choices(struct witness *w, const uint32_t *decisions,
                        size_t count)
{
    uint32_t *newest = no_newest(w), running = 0, place = w->step_count;

    for (size_t i = 0; i < count; i++) {
        uint32_t number = decisions[i] >> 3;

        if ((decisions[i] & 7) == DECIDE_RUN)
            running = number;
        if ((decisions[i] & 7) != DECIDE_CHOOSE || running >= w->threads)
            continue;
        append(w, newest, running, place, WITNESS_CHOICE);
        w->steps[place++].chosen = number;
    }
    w->step_count = place;
}

static size_t count_choices(const uint32_t *decisions, size_t count)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        n += (decisions[i] & 7) == DECIDE_CHOOSE;
    return n;
}

void witness_make_steps(struct witness *w, const uint32_t *decisions,
                        size_t count)
{
    uint32_t *newest = no_newest(w);

    give_places(w);
    w->steps =
        arena_array(w->arena, w->step_count + count_choices(decisions, count),
                    sizeof(*w->steps));
    for (uint32_t i = 0; i < w->end; i++) {
        const struct happening *h = &w->log[i];

        if (!w->past[i] || !witness_is_step(h))
            continue;
        append(w, newest, h->thread, w->place[i],
               kind_of(w, h, drains_next(w, i)));
        if (h->kind == EV_CREATE)
            w->steps[w->place[i]].chosen = h->other;
    }
    add_e(w, newest);
    add_choices(w, decisions, count);
    CHECK(w->step_count <= CHANNEL_STEPS_MAX);
}
