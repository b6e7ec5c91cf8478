/* SPDX-License-Identifier: MIT
 *
 * Accesses in parts, so that any two either share all of their bytes or none
 * (docs/decisions/12).  A load becomes a load of each part, and what it
 * returned is put together from them; a store stores a part of its value at
 * each place.  That the parts take effect together is said by their unit, and
 * by what the models make of it.
 */
#include <string.h>

#include "flat/flat_inside.h"

struct splitter {
    const struct flat *from;
    const uint8_t *cuts;
    bool together;
    struct arena *arena;
    struct values values;
    struct flat out;
    uint32_t *event;  /* old number to that of its first part */
    uint32_t *origin; /* new number to old */
    uint32_t *value;  /* old number to new */
};

static bool is_cut(const struct splitter *s, uint32_t event)
{
    return s->cuts[event] >> 1 != 0;
}

static unsigned parts_of(const struct splitter *s, uint32_t event)
{
    return 1 + (unsigned)__builtin_popcount(s->cuts[event] & 0xfeu);
}

/* Where the part begins that comes after `at`: or the access ends. */
static unsigned part_end(const struct splitter *s, uint32_t event, unsigned at)
{
    unsigned size = s->from->events[event].size;

    do
        at++;
    while (at < size && !(s->cuts[event] >> at & 1));
    return at;
}

/* ---- Numbers ---- */

static void number_events(struct splitter *s)
{
    const struct flat *f = s->from;
    uint32_t n = 0;

    s->event = arena_array(s->arena, f->event_count + 1, sizeof *s->event);
    for (uint32_t i = 0; i < f->event_count; i++) {
        s->event[i] = n;
        n += parts_of(s, i);
    }
    s->event[f->event_count] = s->out.event_count = n;
    s->origin = arena_array(s->arena, n + 1, sizeof *s->origin);
    for (uint32_t i = 0; i < f->event_count; i++)
        for (uint32_t k = s->event[i]; k < s->event[i + 1]; k++)
            s->origin[k] = i;
}

/* ---- Values ---- */

static uint32_t add_loaded(struct splitter *s, const struct flat_value *loaded,
                           uint32_t event, unsigned width)
{
    struct flat_value v = *loaded;

    v.a = event;
    v.width = (uint8_t)width;
    return values_add(&s->values, &v);
}

/* What a load in parts returned. */
static uint32_t add_joined(struct splitter *s, const struct flat_value *loaded)
{
    uint32_t event = s->event[loaded->a], value = 0;
    unsigned size = s->from->events[loaded->a].size;

    for (unsigned at = 0, end; at < size; at = end) {
        uint32_t part;

        end = part_end(s, loaded->a, at);
        part = add_loaded(s, loaded, event++, 8 * (end - at));
        value = at ? values_pure(&s->values, PURE_JOIN, 8 * end, 8 * at, value,
                                 part)
                   : part;
    }
    return value;
}

static uint32_t move_value(struct splitter *s, const struct flat_value *old)
{
    struct flat_value v = *old;

    if (v.op == FLAT_LOADED && is_cut(s, v.a))
        return add_joined(s, old);
    if (v.op == FLAT_LOADED)
        return add_loaded(s, old, s->event[v.a], v.width);
    if (v.op != FLAT_CHOSEN) {
        v.a = s->value[v.a];
        v.b = s->value[v.b];
        v.c = s->value[v.c];
    }
    if (v.op == FLAT_PURE) /* parts of what was put together are folded */
        return values_pure(&s->values, (enum lsl_pure)v.pure, v.width,
                           v.in_width, v.a, v.b);
    return values_add(&s->values, &v);
}

static void move_values(struct splitter *s)
{
    const struct flat *f = s->from;

    s->value = arena_array(s->arena, f->value_count + 1, sizeof *s->value);
    values_init(&s->values, s->arena);
    for (uint32_t i = 1; i < f->value_count; i++)
        s->value[i] = move_value(s, &f->values[i]);
    CHECK(s->value[FLAT_TRUE] == FLAT_TRUE);
    CHECK(s->value[FLAT_FALSE] == FLAT_FALSE);
}

/* ---- Events ---- */

/* The value of a load's part is there already; that of a store's is taken out
 * of the whole. */
static uint32_t value_of_part(struct splitter *s, uint32_t event,
                              uint32_t number, unsigned at, unsigned size)
{
    const struct flat_event *e = &s->from->events[event];
    struct flat_value loaded = s->from->values[e->value];

    if (e->kind == FLAT_LOAD)
        return add_loaded(s, &loaded, number, 8 * size);
    return values_pure(&s->values, PURE_PART, 8 * size, 8 * size,
                       s->value[e->value], values_integer(&s->values, at));
}

/* Which part of its access an event is, by its new number; the access may have
 * been in parts before. */
static void number_part(const struct splitter *s, uint32_t event,
                        uint32_t number, struct flat_event *e)
{
    const struct flat_event *old = &s->from->events[event];
    uint32_t first = event - old->part;
    uint32_t end = s->event[first + flat_parts(old)];

    if (end - s->event[first] == 1)
        return;
    e->part = (uint8_t)(number - s->event[first]);
    e->parts = (uint8_t)(end - s->event[first]);
}

static void add_parts(struct splitter *s, uint32_t event,
                      struct flat_event whole)
{
    uint32_t number = s->event[event];
    uint8_t size = whole.size;

    if (!whole.unit && s->together)
        whole.unit = ++s->out.unit_count;
    for (unsigned at = 0, end; at < size; at = end, number++) {
        struct flat_event *e = &s->out.events[number];

        end = part_end(s, event, at);
        *e = whole;
        number_part(s, event, number, e);
        e->size = (uint8_t)(end - at);
        e->address = values_pure(&s->values, PURE_ADD, 64, 64, whole.address,
                                 values_integer(&s->values, at));
        e->value = value_of_part(s, event, number, at, end - at);
    }
}

static void move_events(struct splitter *s)
{
    const struct flat *f = s->from;

    s->out.events =
        arena_array(s->arena, s->out.event_count + 1, sizeof *s->out.events);
    for (uint32_t i = 0; i < f->event_count; i++) {
        struct flat_event e = f->events[i];

        e.guard = s->value[e.guard];
        e.address = s->value[e.address];
        e.value = s->value[e.value];
        e.compare = s->value[e.compare];
        number_part(s, i, s->event[i], &e);
        if (is_cut(s, i))
            add_parts(s, i, e);
        else
            s->out.events[s->event[i]] = e;
    }
}

/* ---- All else ---- */

static void *copy(struct splitter *s, const void *from, uint32_t count,
                  size_t size)
{
    void *to = arena_array(s->arena, count + 1, size);

    if (count)
        memcpy(to, from, count * size);
    return to;
}

/* Events first .. first + count, by their new numbers. */
static void move_range(const struct splitter *s, uint32_t *first,
                       uint32_t *count)
{
    uint32_t end = *first + *count;

    *first = s->event[*first];
    *count = s->event[end] - *first;
}

static void move_event(const struct splitter *s, uint32_t *event)
{
    if (*event != LSL_NONE)
        *event = s->event[*event];
}

static void rename_value(const struct splitter *s, uint32_t *value)
{
    *value = s->value[*value];
}

#define COPY(list, count)                                                      \
    s->out.list = copy(s, s->from->list, s->from->count, sizeof *s->out.list)

static void move_threads(struct splitter *s)
{
    COPY(threads, thread_count);
    COPY(operations, operation_count);
    for (uint32_t i = 0; i < s->out.thread_count; i++) {
        move_range(s, &s->out.threads[i].first, &s->out.threads[i].count);
        move_event(s, &s->out.threads[i].create);
    }
    for (uint32_t i = 0; i < s->out.operation_count; i++)
        move_range(s, &s->out.operations[i].first, &s->out.operations[i].count);
}

static void move_ends(struct splitter *s)
{
    COPY(assumes, assume_count);
    COPY(cuts, cut_count);
    COPY(branches, branch_count);
    COPY(errors, error_count);
    for (uint32_t i = 0; i < s->out.assume_count; i++) {
        rename_value(s, &s->out.assumes[i].guard);
        rename_value(s, &s->out.assumes[i].condition);
        move_event(s, &s->out.assumes[i].event);
    }
    for (uint32_t i = 0; i < s->out.cut_count; i++) {
        rename_value(s, &s->out.cuts[i].guard);
        rename_value(s, &s->out.cuts[i].chose);
        move_range(s, &s->out.cuts[i].first, &s->out.cuts[i].count);
    }
    for (uint32_t i = 0; i < s->out.branch_count; i++) {
        rename_value(s, &s->out.branches[i].guard);
        rename_value(s, &s->out.branches[i].condition);
        s->out.branches[i].event = s->event[s->out.branches[i].event];
    }
    for (uint32_t i = 0; i < s->out.error_count; i++)
        rename_value(s, &s->out.errors[i].guard);
}

static void move_seen(struct splitter *s)
{
    COPY(observes, observe_count);
    COPY(choices, choice_count);
    for (uint32_t i = 0; i < s->out.observe_count; i++) {
        rename_value(s, &s->out.observes[i].guard);
        rename_value(s, &s->out.observes[i].value);
    }
    for (uint32_t i = 0; i < s->out.choice_count; i++) {
        rename_value(s, &s->out.choices[i].guard);
        rename_value(s, &s->out.choices[i].value);
    }
}

void flat_split(const struct flat *from, const uint8_t *cuts, bool together,
                struct arena *a, struct flat *out, uint32_t **origin)
{
    struct splitter s = {.from = from,
                         .cuts = cuts,
                         .together = together,
                         .arena = a,
                         .out = *from};

    number_events(&s);
    move_values(&s);
    move_events(&s);
    move_threads(&s);
    move_ends(&s);
    move_seen(&s);
    flat_take_values(&s.out, &s.values, a);
    flat_check(&s.out);
    *out = s.out;
    *origin = s.origin;
}
