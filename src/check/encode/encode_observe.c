/* SPDX-License-Identifier: MIT
 *
 * Observations.  What a thread observes is a sequence, however many places in
 * its code could add to it: "the second value observed" is a slot, and where
 * branches decide which place fills it, literals count what was observed
 * before.
 */
#include <stdlib.h>

#include "base/check.h"
#include "encode/encode_inside.h"

struct slot {
    uint32_t thread;
    uint32_t number;       /* in its thread */
    uint32_t first, count; /* places of the thread, in flat->observes */
    bool plain;  /* filled by place first + number, and only by that */
    int *before; /* per place: just `number` of those before it observed */
    int absent;  /* the thread observed no more than `number` */
};

/* Does every execution in which the thread comes to its end observe there? */
static bool is_sure(const struct encoding *x, const struct flat_observe *o)
{
    const struct flat *f = x->flat;
    const struct flat_thread *t = &f->threads[o->thread];
    const struct flat_event *exit;

    if (o->guard == FLAT_TRUE)
        return true;
    if (t->count == 0)
        return false;
    exit = &f->events[t->first + t->count - 1];
    return exit->kind == FLAT_EXIT && fixed_implies(f, exit->guard, o->guard);
}

static bool all_sure(const struct encoding *x, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!is_sure(x, &x->flat->observes[first + i]))
            return false;
    }
    return true;
}

/* count_lits[i * (count + 1) + k]: of the first i places k observed. */
static int *count_places(struct encoding *x, uint32_t first, uint32_t count)
{
    uint32_t wide = count + 1;
    int *lits = arena_array(&x->arena, (size_t)wide * wide, sizeof *lits);
    struct solver *s = x->solver;

    for (uint32_t k = 0; k < wide; k++)
        lits[k] = k == 0 ? LIT_TRUE : LIT_FALSE;
    for (uint32_t i = 1; i < wide; i++) {
        int guard = value_guard(x, x->flat->observes[first + i - 1].guard);

        for (uint32_t k = 0; k < wide; k++) {
            int *last = lits + (size_t)(i - 1) * wide;
            int more = k ? solver_and(s, last[k - 1], guard) : LIT_FALSE;

            lits[i * wide + k] =
                solver_or(s, more, solver_and(s, last[k], -guard));
        }
    }
    return lits;
}

static void fill_slots(struct encoding *x, uint32_t first, uint32_t count)
{
    bool plain = all_sure(x, first, count);
    int *counted = plain ? NULL : count_places(x, first, count);
    uint32_t wide = count + 1;

    for (uint32_t n = 0; n < count; n++) {
        struct slot *slot = &x->slots[x->slot_count++];

        *slot = (struct slot){.thread = x->flat->observes[first].thread,
                              .number = n,
                              .first = first,
                              .count = count,
                              .plain = plain,
                              .absent = LIT_FALSE};
        if (plain)
            continue;
        slot->before = arena_array(&x->arena, count, sizeof *slot->before);
        for (uint32_t i = 0; i < count; i++)
            slot->before[i] = counted[i * wide + n];
        for (uint32_t k = 0; k <= n; k++)
            slot->absent =
                solver_or(x->solver, slot->absent, counted[count * wide + k]);
    }
}

static int slot_is(struct encoding *x, const struct slot *slot,
                   struct lsl_value v)
{
    struct solver *s = x->solver;
    int out = LIT_FALSE;

    CHECK(slot->number < slot->count);
    CHECK(slot->first + slot->count <= x->flat->observe_count);
    if (v.kind == LSL_UNDEFINED)
        return slot->absent;
    if (slot->plain)
        return value_is(x, x->flat->observes[slot->first + slot->number].value,
                        v);
    for (uint32_t i = 0; i < slot->count; i++) {
        const struct flat_observe *o = &x->flat->observes[slot->first + i];
        int here = solver_and(s, slot->before[i], value_guard(x, o->guard));

        if (here != LIT_FALSE)
            out = solver_or(s, out,
                            solver_and(s, here, value_is(x, o->value, v)));
    }
    return out;
}

void observe_encode(struct encoding *x)
{
    const struct flat *f = x->flat;
    uint32_t count;

    x->slots = arena_array(&x->arena, f->observe_count + 1, sizeof *x->slots);
    for (uint32_t first = 0; first < f->observe_count; first += count) {
        for (count = 1;
             first + count < f->observe_count &&
             f->observes[first + count].thread == f->observes[first].thread;)
            count++;
        fill_slots(x, first, count);
    }
    /* All of them exist before the first solution. */
    for (uint32_t i = 0; i < f->observe_count; i++)
        value_lits(x, f->observes[i].value);
}

uint32_t encode_places(const struct encoding *x)
{
    return x->slot_count;
}

uint32_t encode_place_thread(const struct encoding *x, uint32_t place)
{
    CHECK(place < x->slot_count);
    return x->slots[place].thread;
}

void encode_allow(struct encoding *x, const struct lsl_value *observation)
{
    struct solver *s = x->solver;

    for (uint32_t i = 0; i < x->slot_count; i++) {
        if (slot_is(x, &x->slots[i], observation[i]) == LIT_FALSE)
            return; /* it cannot be observed anyway */
    }
    for (uint32_t i = 0; i < x->slot_count; i++)
        solver_add(s, -slot_is(x, &x->slots[i], observation[i]));
    solver_add(s, x->error);
    solver_add(s, -x->blocking);
    solver_end(s);
}

struct lsl_value *observe_found(const struct encoding *x, struct arena *a)
{
    const struct flat *f = x->flat;
    struct lsl_value *out = arena_array(a, x->slot_count + 1, sizeof *out);

    for (uint32_t i = 0; i < x->slot_count; i++) {
        const struct slot *slot = &x->slots[i];
        uint32_t n = 0;

        for (uint32_t k = 0; k < slot->count; k++) {
            const struct flat_observe *o = &f->observes[slot->first + k];

            if (guard_found(x, o->guard) && n++ == slot->number)
                out[i] = value_found(x, o->value);
        }
    }
    return out;
}
