/* SPDX-License-Identifier: MIT
 *
 * Memory at every step of an execution, byte by byte, as the events tell it:
 * what was written is there, and what was read was there.  Accesses of
 * different sizes may share bytes, so a write changes every cell that it
 * touches.
 *
 * The value that memory began with is not in a trace; a load that read it is.
 * So the events are gone through twice, first to learn these values.
 */
#include "report/html/html_inside.h"

#include <string.h>

#define VALUE_BYTES 8 /* an event has no more of a value */

void html_strings_init(struct html_strings *s)
{
    s->list = json_array();
    html_string(s, "");
}

uint32_t html_string(struct html_strings *s, const char *text)
{
    uint64_t *number = map_put_text(&s->numbers, text);

    if (*number == 0) {
        json_array_append_new(s->list, json_text(text));
        *number = json_array_size(s->list);
    }
    return (uint32_t)*number - 1;
}

bool html_is_access(const struct event *ev)
{
    switch (ev->kind) {
    case EV_LOAD:
    case EV_STORE:
    case EV_COMMIT:
    case EV_RMW:
    case EV_CAS_FAIL:
    case EV_AWAIT:
        return ev->object != 0 && ev->size >= 1 && ev->size <= VALUE_BYTES;
    default:
        return false;
    }
}

/* ---- Which bytes and cells there are ---- */

static int by_slot(const void *x, const void *y)
{
    const struct html_slot *a = x, *b = y;

    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

static int by_cell(const void *x, const void *y)
{
    const struct html_cell *a = x, *b = y;

    if (a->slot != b->slot)
        return a->slot < b->slot ? -1 : 1;
    return a->size - b->size;
}

static void find_slots(struct html_memory *m)
{
    const struct trace *t = m->trace;
    size_t kept = 0;

    for (size_t i = 0; i < t->event_count; i++) {
        const struct event *ev = &t->events[i];

        for (unsigned k = 0; html_is_access(ev) && k < ev->size; k++)
            VEC_PUSH_IN(&m->arena, &m->slots, {ev->object, ev->offset + k});
    }
    if (m->slots.count)
        qsort(m->slots.list, m->slots.count, sizeof(*m->slots.list), by_slot);
    for (size_t i = 0; i < m->slots.count; i++) {
        if (kept == 0 ||
            by_slot(&m->slots.list[kept - 1], &m->slots.list[i]) != 0)
            m->slots.list[kept++] = m->slots.list[i];
    }
    m->slots.count = kept;
}

uint32_t html_slot_of(const struct html_memory *m, const struct event *ev)
{
    struct html_slot key = {ev->object, ev->offset};
    const struct html_slot *found =
        bsearch(&key, m->slots.list, m->slots.count, sizeof(key), by_slot);

    CHECK(found != NULL);
    return (uint32_t)(found - m->slots.list);
}

static void find_cells(struct html_memory *m)
{
    const struct trace *t = m->trace;
    size_t kept = 0;

    for (size_t i = 0; i < t->event_count; i++) {
        const struct event *ev = &t->events[i];

        if (html_is_access(ev))
            VEC_PUSH_IN(&m->arena, &m->cells,
                        {.object = ev->object,
                         .offset = ev->offset,
                         .size = ev->size,
                         .slot = html_slot_of(m, ev)});
    }
    if (m->cells.count)
        qsort(m->cells.list, m->cells.count, sizeof(*m->cells.list), by_cell);
    for (size_t i = 0; i < m->cells.count; i++) {
        if (kept == 0 ||
            by_cell(&m->cells.list[kept - 1], &m->cells.list[i]) != 0)
            m->cells.list[kept++] = m->cells.list[i];
    }
    m->cells.count = kept;
}

/* The first cell that does not begin before that slot. */
static size_t first_cell(const struct html_memory *m, uint32_t slot)
{
    size_t low = 0, high = m->cells.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (m->cells.list[middle].slot < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t html_cell_of(const struct html_memory *m, const struct event *ev)
{
    if (!html_is_access(ev))
        return UINT32_MAX;

    uint32_t slot = html_slot_of(m, ev);
    size_t at = first_cell(m, slot);

    while (m->cells.list[at].size != ev->size)
        at++;
    CHECK(m->cells.list[at].slot == slot);
    return (uint32_t)at;
}

/* ---- Bytes ---- */

struct html_image html_image_new(struct html_memory *m)
{
    return (struct html_image){arena_array(&m->arena, m->slots.count + 1, 1),
                               arena_array(&m->arena, m->slots.count + 1, 1)};
}

uint64_t html_value_of(const struct event *ev, uint64_t value)
{
    return ev->size >= VALUE_BYTES ? value
                                   : value & ((1ull << 8 * ev->size) - 1);
}

void html_write(struct html_memory *m, struct html_image *to,
                const struct event *ev, uint64_t value, bool open)
{
    uint32_t slot = html_slot_of(m, ev);

    for (unsigned k = 0; k < ev->size; k++) {
        to->bytes[slot + k] = (uint8_t)(value >> 8 * k);
        to->state[slot + k] = open ? BYTE_OPEN : BYTE_HELD;
    }
}

static bool read_slots(const struct html_image *from, uint32_t slot,
                       unsigned size, uint64_t *value)
{
    *value = 0;
    for (unsigned k = 0; k < size; k++) {
        if (from->state[slot + k] != BYTE_HELD)
            return false;
        *value |= (uint64_t)from->bytes[slot + k] << 8 * k;
    }
    return true;
}

bool html_read(const struct html_memory *m, const struct html_image *from,
               const struct event *ev, uint64_t *value)
{
    return read_slots(from, html_slot_of(m, ev), ev->size, value);
}

static uint32_t text_of_cell(struct html_memory *m,
                             const struct html_image *now,
                             const struct html_cell *c)
{
    struct buf text = {0};
    uint64_t value;
    uint32_t number = 0;

    if (read_slots(now, c->slot, c->size, &value)) {
        trace_value(m->trace, value, c->size, &text);
        number = html_string(m->strings, text.bytes);
    }
    buf_free(&text);
    return number;
}

static void note_cell(struct html_memory *m, struct html_cell *c,
                      const struct html_image *now, uint32_t step, bool sc)
{
    struct html_change change = {step, text_of_cell(m, now, c)};

    if (sc)
        VEC_PUSH_IN(&m->arena, &c->held_sc, change);
    else
        VEC_PUSH_IN(&m->arena, &c->held, change);
}

void html_note(struct html_memory *m, const struct html_image *now,
               const struct event *ev, uint32_t step, bool sc)
{
    uint32_t slot = html_slot_of(m, ev);
    size_t at = first_cell(m, slot < VALUE_BYTES ? 0 : slot - VALUE_BYTES + 1);

    for (; at < m->cells.count && m->cells.list[at].slot < slot + ev->size;
         at++) {
        struct html_cell *c = &m->cells.list[at];

        if (c->object == ev->object && c->slot + c->size > slot)
            note_cell(m, c, now, step, sc);
    }
}

static void note_all(struct html_memory *m, const struct html_image *now,
                     bool sc)
{
    for (size_t i = 0; i < m->cells.count; i++)
        note_cell(m, &m->cells.list[i], now, 0, sc);
}

/* ---- The machine ---- */

struct machine {
    struct html_memory *memory;
    struct html_image now;
    bool learns;           /* else it notes */
    VEC(uint32_t) waiting; /* events whose stores are in a buffer */
};

/* A byte that the thread's own buffer holds. */
static bool is_forwarded(const struct machine *x, const struct event *ev,
                         unsigned byte)
{
    const struct trace *t = x->memory->trace;

    for (size_t i = 0; i < x->waiting.count; i++) {
        const struct event *w = &t->events[x->waiting.list[i]];

        if (w->thread == ev->thread && w->object == ev->object &&
            ev->offset + byte - w->offset < w->size)
            return true;
    }
    return false;
}

/* What was read from memory was there: from the beginning if nobody had
 * written it, else somebody has whom Fencer does not see. */
static bool see_byte(struct machine *x, uint32_t slot, uint8_t byte,
                     bool *unseen)
{
    bool held = x->now.state[slot] == BYTE_HELD;
    bool new = !held || x->now.bytes[slot] != byte;
    struct html_image *initial = &x->memory->initial;

    *unseen |= held && new;

    if (x->learns && x->now.state[slot] == BYTE_INITIAL) {
        initial->bytes[slot] = byte;
        initial->state[slot] = BYTE_HELD;
    }
    x->now.bytes[slot] = byte;
    x->now.state[slot] = BYTE_HELD;
    return new;
}

static void see_read(struct machine *x, const struct event *ev, uint32_t step)
{
    uint32_t slot = html_slot_of(x->memory, ev);
    bool *unseen = &x->memory->unseen[step - 1];
    bool new = false;

    if (ev->flags & EVF_STALE)
        return;
    for (unsigned k = 0; k < ev->size; k++) {
        if (!is_forwarded(x, ev, k))
            new |= see_byte(x, slot + k, (uint8_t)(ev->value >> 8 * k), unseen);
    }
    if (new && !x->learns)
        html_note(x->memory, &x->now, ev, step, false);
}

static void see_write(struct machine *x, const struct event *ev, uint32_t step)
{
    html_write(x->memory, &x->now, ev,
               ev->kind == EV_RMW ? ev->wrote : ev->value, false);
    if (!x->learns)
        html_note(x->memory, &x->now, ev, step, false);
}

static void end_wait(struct machine *x, const struct event *commit,
                     uint32_t step)
{
    for (size_t i = 0; i < x->waiting.count; i++) {
        if (x->waiting.list[i] + 1 != commit->from)
            continue;
        x->memory->until[x->waiting.list[i]] = step;
        memmove(&x->waiting.list[i], &x->waiting.list[i + 1],
                (x->waiting.count - i - 1) * sizeof(uint32_t));
        x->waiting.count--;
        return;
    }
}

static void see_event(struct machine *x, size_t i)
{
    const struct event *ev = &x->memory->trace->events[i];
    uint32_t step = (uint32_t)i + 1;

    if (ev->kind == EV_COMMIT)
        end_wait(x, ev, step);
    if (ev->flags & EVF_BUFFERED && ev->kind != EV_COMMIT) {
        VEC_PUSH(&x->waiting, (uint32_t)i);
        x->memory->until[i] = UINT32_MAX;
    }
    if (!html_is_access(ev))
        return;
    if (event_reads(ev))
        see_read(x, ev, step);
    if (event_writes(ev))
        see_write(x, ev, step);
}

static void run_machine(struct html_memory *m, bool learns)
{
    struct machine x = {
        .memory = m, .now = html_image_new(m), .learns = learns};

    if (!learns) {
        memcpy(x.now.bytes, m->initial.bytes, m->slots.count);
        memcpy(x.now.state, m->initial.state, m->slots.count);
        note_all(m, &x.now, false);
    }
    for (size_t i = 0; i < m->trace->event_count; i++)
        see_event(&x, i);
    VEC_FREE(&x.waiting);
}

/* Without a machine a load says what it read, and if that was initial. */
static void learn_by_events(struct html_memory *m)
{
    for (size_t i = 0; i < m->trace->event_count; i++) {
        const struct event *ev = &m->trace->events[i];

        if (html_is_access(ev) && event_reads(ev) && ev->from == 0)
            html_write(m, &m->initial, ev, ev->value, false);
    }
}

void html_memory_init(struct html_memory *m, const struct trace *t,
                      struct html_strings *s, bool machine)
{
    *m = (struct html_memory){.trace = t, .strings = s};
    find_slots(m);
    find_cells(m);
    m->initial = html_image_new(m);
    m->until = arena_array(&m->arena, t->event_count + 1, sizeof(uint32_t));
    m->unseen = arena_array(&m->arena, t->event_count + 1, sizeof(bool));
    m->strays = arena_array(&m->arena, t->thread_count, sizeof(uint32_t));
    if (machine) {
        run_machine(m, true);
        run_machine(m, false);
    } else {
        learn_by_events(m);
    }
    note_all(m, &m->initial, true);
    html_what_if(m);
}

void html_memory_free(struct html_memory *m)
{
    arena_free(&m->arena);
}
