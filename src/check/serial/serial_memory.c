/* SPDX-License-Identifier: MIT
 *
 * Memory of concrete values: objects with cells.  A cell is what an access of
 * some size wrote; where there is none, the initial value is.  A store cuts the
 * cells that it overlaps, and a load puts together what it finds.  Only
 * pointers cannot be cut.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "serial/serial_inside.h"

/* Integers below this as addresses: a member of no object. */
#define NULL_PAGE 4096

/* The number of a new object; cells of an older one in its place are used
 * again. */
static uint32_t next_object(struct memory *m)
{
    struct object *o = VEC_REACH(&m->objects, m->count);

    *o = (struct object){.list = o->list, .room = o->room};
    return m->count++;
}

static void add_variable(struct memory *m, const struct lsl_object *variable)
{
    uint32_t number = next_object(m);
    struct object *o = &m->objects.list[number];

    o->kind = OBJECT_VARIABLE;
    o->size = variable->size;
    o->variable = variable;
}

void memory_init(struct memory *m, const struct lsl_program *p,
                 uint32_t thread_count)
{
    *m = (struct memory){.program = p};
    m->local = calloc(p->object_count + 1, sizeof(*m->local));
    CHECK(m->local != NULL);
    for (uint32_t i = 0; i < p->object_count; i++)
        add_variable(m, &p->objects[i]);
    for (uint32_t i = 1; i < p->object_count; i++) {
        if (!p->objects[i].thread_local)
            continue;
        m->local[i] = m->count;
        for (uint32_t t = 0; t < thread_count; t++)
            add_variable(m, &p->objects[i]);
    }
    if (m->count == 0)
        next_object(m); /* object 0 is none */
    m->variable_count = m->count;
}

void memory_fini(struct memory *m)
{
    for (uint32_t i = 0; i < m->objects.count; i++)
        VEC_FREE(&m->objects.list[i]);
    VEC_FREE(&m->objects);
    VEC_FREE(&m->order);
    free(m->local);
}

struct lsl_value memory_localise(const struct memory *m, struct lsl_value v,
                                 uint32_t thread)
{
    if (v.kind == LSL_POINTER && v.base < m->program->object_count &&
        m->local[v.base])
        v.base = m->local[v.base] + thread;
    return v;
}

uint32_t memory_new_object(struct memory *m, enum object_kind kind,
                           uint64_t size, bool zeroed)
{
    uint32_t number = next_object(m);
    struct object *o = &m->objects.list[number];

    o->kind = (uint8_t)kind;
    o->size = size;
    o->zeroed = zeroed;
    return number;
}

void memory_leave(struct memory *m, uint32_t first)
{
    for (uint32_t i = first; i < m->count; i++) {
        if (m->objects.list[i].kind == OBJECT_STACK)
            m->objects.list[i].dead = true;
    }
}

/* ---- Accesses ---- */

static enum outcome fail(struct memory *m, enum failure_kind kind,
                         const char *text)
{
    m->failure = (uint8_t)kind;
    m->text = text ? text : failure_kind_words(kind);
    return RUN_FAILED;
}

static enum outcome refuse(struct memory *m, const char *text)
{
    m->text = text;
    return RUN_REFUSED;
}

static enum outcome check_address(struct memory *m, struct lsl_value address,
                                  unsigned size)
{
    if (address.kind == LSL_UNDEFINED)
        return fail(m, FAIL_UNDEFINED,
                    "an undefined value is used as an address");
    if (address.kind == LSL_INTEGER)
        return fail(m, address.bits < NULL_PAGE ? FAIL_NULL_ACCESS : FAIL_SEGV,
                    NULL);
    CHECK(address.base > 0 && address.base < m->count);

    const struct object *o = &m->objects.list[address.base];

    if (o->dead)
        return fail(m, FAIL_USE_AFTER_FREE,
                    o->kind == OBJECT_STACK
                        ? "use of a local variable after its function's return"
                        : NULL);
    if (o->variable && o->variable->proc != LSL_NONE)
        return fail(m, FAIL_SEGV, "a function is accessed as data");
    if (address.bits > o->size || o->size - address.bits < size)
        return fail(m, FAIL_OUT_OF_BOUNDS,
                    o->kind == OBJECT_HEAP ? NULL : "access out of bounds");
    return RUN_ON;
}

/* The first cell that does not end before the offset. */
static uint32_t find_cell(const struct object *o, uint64_t offset)
{
    uint32_t low = 0, high = (uint32_t)o->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (o->list[middle].offset + o->list[middle].size <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct lsl_value initial(const struct object *o, uint64_t offset,
                                unsigned size)
{
    if (o->kind == OBJECT_VARIABLE)
        return lsl_initial(o->variable, offset, size);
    if (o->zeroed)
        return LSL_INT(0);
    return (struct lsl_value){.kind = LSL_UNDEFINED};
}

static enum outcome refuse_cut(struct memory *m)
{
    return refuse(m, "a part of a pointer is accessed");
}

/* Bytes of a value, `at` bytes from its beginning. */
static enum outcome cut(struct memory *m, struct lsl_value v, uint64_t at,
                        uint64_t size, struct lsl_value *out)
{
    return lsl_eval(PURE_PART, (unsigned)size * 8, (unsigned)size * 8, v,
                    LSL_INT(at), out) == LSL_FINE
               ? RUN_ON
               : refuse_cut(m);
}

/* What is in memory from `at` on, before `end`: of one cell, or of none.  Where
 * that ends is the new *at. */
static enum outcome piece(struct memory *m, const struct object *o,
                          uint64_t *at, uint64_t end, struct lsl_value *out)
{
    uint32_t place = find_cell(o, *at);
    const struct cell *c = place < o->count ? &o->list[place] : NULL;
    uint64_t from = *at, stop = end;

    if (c && c->offset <= from) {
        if (c->offset + c->size < stop)
            stop = c->offset + c->size;
        *at = stop;
        return cut(m, c->value, from - c->offset, stop - from, out);
    }
    if (c && c->offset < stop)
        stop = c->offset;
    *at = stop;
    if (o->kind == OBJECT_VARIABLE &&
        lsl_cuts_pointer(o->variable, from, (unsigned)(stop - from)))
        return refuse_cut(m);
    *out = initial(o, from, (unsigned)(stop - from));
    return RUN_ON;
}

static enum outcome assemble(struct memory *m, const struct object *o,
                             uint64_t offset, unsigned size,
                             struct lsl_value *out)
{
    uint64_t at = offset, end = offset + size;
    enum outcome r = piece(m, o, &at, end, out);

    while (r == RUN_ON && at < end) {
        unsigned low = (unsigned)(at - offset) * 8;
        struct lsl_value next;

        r = piece(m, o, &at, end, &next);
        if (r == RUN_ON && lsl_eval(PURE_JOIN, (unsigned)(at - offset) * 8, low,
                                    *out, next, out) != LSL_FINE)
            r = refuse_cut(m);
    }
    return r;
}

enum outcome memory_load(struct memory *m, struct lsl_value address,
                         unsigned size, struct lsl_value *out)
{
    enum outcome r = check_address(m, address, size);

    if (r == RUN_ON)
        r = assemble(m, &m->objects.list[address.base], address.bits, size,
                     out);
    return r;
}

static void insert_cell(struct object *o, uint32_t place, struct cell c)
{
    VEC_FIT(o, o->count + 1);
    memmove(o->list + place + 1, o->list + place,
            (o->count - place) * sizeof(*o->list));
    o->list[place] = c;
    o->count++;
}

/* Of the cell at `place` only what lies outside of these bytes stays. */
static enum outcome clear_cell(struct memory *m, struct object *o,
                               uint32_t place, uint64_t from, uint64_t to)
{
    struct cell c = o->list[place], rest;
    uint64_t end = c.offset + c.size;

    memmove(o->list + place, o->list + place + 1,
            (o->count - place - 1) * sizeof(*o->list));
    o->count--;
    if (end > to) {
        rest = (struct cell){.offset = to, .size = (uint32_t)(end - to)};
        if (cut(m, c.value, to - c.offset, rest.size, &rest.value) != RUN_ON)
            return RUN_REFUSED;
        insert_cell(o, place, rest);
    }
    if (c.offset < from) {
        rest = (struct cell){.offset = c.offset,
                             .size = (uint32_t)(from - c.offset)};
        if (cut(m, c.value, 0, rest.size, &rest.value) != RUN_ON)
            return RUN_REFUSED;
        insert_cell(o, place, rest);
    }
    return RUN_ON;
}

enum outcome memory_store(struct memory *m, struct lsl_value address,
                          unsigned size, struct lsl_value value)
{
    enum outcome r = check_address(m, address, size);
    struct object *o;
    uint64_t end;
    uint32_t place;

    if (r != RUN_ON)
        return r;
    o = &m->objects.list[address.base];
    if (o->variable && o->variable->constant)
        return fail(m, FAIL_SEGV, "a constant is written to");
    end = address.bits + size;
    for (;;) {
        const struct cell *c;

        place = find_cell(o, address.bits);
        if (place == o->count)
            break;
        c = &o->list[place];
        if (c->offset >= end)
            break;
        if (c->offset == address.bits && c->size == size) {
            o->list[place].value = value;
            return RUN_ON;
        }
        if (clear_cell(m, o, place, address.bits, end) != RUN_ON)
            return RUN_REFUSED;
    }
    insert_cell(o, place, (struct cell){address.bits, size, value});
    return RUN_ON;
}

enum outcome memory_free(struct memory *m, struct lsl_value address)
{
    if (address.kind == LSL_UNDEFINED)
        return fail(m, FAIL_UNDEFINED, "an undefined value is freed");
    if (address.kind == LSL_INTEGER)
        return address.bits == 0 ? RUN_ON : fail(m, FAIL_BAD_FREE, NULL);

    struct object *o = &m->objects.list[address.base];

    if (o->kind != OBJECT_HEAP || address.bits != 0)
        return fail(m, FAIL_BAD_FREE, NULL);
    if (o->dead)
        return fail(m, FAIL_DOUBLE_FREE, NULL);
    o->dead = true;
    return RUN_ON;
}

/* ---- The canonical form ----
 *
 * Per object a head, for allocated ones what they are, and the cells that
 * differ from the initial value. */

#define CELL_WORDS 3

static void put_cell(struct row *out, const struct cell *c, uint32_t base)
{
    VEC_PUSH(out, c->offset);
    VEC_PUSH(out, (uint64_t)base << 32 | c->value.kind << 8 | c->size);
    VEC_PUSH(out, c->value.bits);
}

/* Numbers an allocated object when it is met for the first time. */
static uint32_t number_of(struct memory *m, uint32_t base)
{
    if (base < m->variable_count)
        return base;

    struct object *o = &m->objects.list[base];

    if (o->number == 0) {
        o->number = m->variable_count + (uint32_t)m->order.count;
        VEC_PUSH(&m->order, base);
    }
    return o->number;
}

static void put_cells(struct memory *m, const struct object *o, struct row *out)
{
    for (uint32_t i = 0; i < o->count; i++) {
        const struct cell *c = &o->list[i];

        if (!lsl_equal(c->value, initial(o, c->offset, c->size)))
            put_cell(out, c,
                     c->value.kind == LSL_POINTER ? number_of(m, c->value.base)
                                                  : c->value.base);
    }
}

static void put_object(struct memory *m, uint32_t base, struct row *out)
{
    const struct object *o = &m->objects.list[base];
    size_t head = out->count;

    VEC_PUSH(out, 0);
    if (o->kind != OBJECT_VARIABLE) {
        VEC_PUSH(out,
                 (uint64_t)o->dead << 16 | (uint64_t)o->zeroed << 8 | o->kind);
        VEC_PUSH(out, o->size);
    }

    size_t first = out->count;

    if (!o->dead)
        put_cells(m, o, out);
    out->list[head] =
        (uint64_t)number_of(m, base) << 32 | (out->count - first) / CELL_WORDS;
    if (o->kind == OBJECT_VARIABLE && out->count == first)
        out->count = head; /* as at the beginning */
}

void memory_to_row(struct memory *m, struct row *out)
{
    VEC_CLEAR(&m->order);
    for (uint32_t i = m->variable_count; i < m->count; i++)
        m->objects.list[i].number = 0;
    for (uint32_t i = 1; i < m->variable_count; i++) {
        if (m->objects.list[i].count)
            put_object(m, i, out);
    }
    for (size_t i = 0; i < m->order.count; i++)
        put_object(m, m->order.list[i], out);
}

static void take_cells(struct object *o, const uint64_t *at, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++, at += CELL_WORDS)
        insert_cell(
            o, (uint32_t)o->count,
            (struct cell){at[0],
                          at[1] & 0xff,
                          {at[1] >> 8 & 0xff, (uint32_t)(at[1] >> 32), at[2]}});
}

void memory_from_row(struct memory *m, const uint64_t *list, size_t count)
{
    for (uint32_t i = 0; i < m->variable_count; i++)
        m->objects.list[i].count = 0;
    m->count = m->variable_count;
    for (size_t at = 0; at < count;) {
        uint32_t number = (uint32_t)(list[at] >> 32);
        uint64_t cells = list[at] & UINT32_MAX;

        at++;
        if (number >= m->variable_count) {
            CHECK(memory_new_object(m, (enum object_kind)(list[at] & 0xff),
                                    list[at + 1], list[at] >> 8 & 1) == number);
            m->objects.list[number].dead = list[at] >> 16 & 1;
            at += 2;
        }
        take_cells(&m->objects.list[number], list + at, cells);
        at += cells * CELL_WORDS;
    }
}

void memory_picture(const struct memory *m, struct row *out)
{
    VEC_PUSH(out, m->count);
    for (uint32_t i = 1; i < m->count; i++) {
        const struct object *o = &m->objects.list[i];

        VEC_PUSH(out, (uint64_t)o->dead << 32 | o->count);
        for (uint32_t k = 0; k < o->count; k++)
            put_cell(out, &o->list[k], o->list[k].value.base);
    }
}
