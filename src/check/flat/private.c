/* SPDX-License-Identifier: MIT
 *
 * Private memory: what only one thread can know makes no events; its contents
 * are values.  Memory is cells, found by object, offset and size.  A state of
 * memory has a value for each cell written so far and never changes: a store
 * makes a new one, and where ways join, states are merged by FLAT_ITE.
 *
 * When an access finds cells of another size, those that reach beyond it are
 * split.  A part has the value of the whole it came from until it is written
 * itself; an access to several parts puts them together.
 */
#include <string.h>

#include "flat/flat_inside.h"

struct cell {
    uint32_t object;
    uint32_t size;
    uint64_t offset;
    uint32_t whole;   /* cell it is a part of, or LSL_NONE */
    uint32_t initial; /* value, if it is not a part */
    bool split;
};

struct memory {
    uint32_t count;
    uint32_t values[]; /* per cell; 0: as at first */
};

/* Parts of an access, and places of an address that is not constant. */
#define MAX_PARTS 8
#define MAX_PLACES 1024

static uint32_t raw(const struct memory *m, uint32_t cell)
{
    return m && cell < m->count ? m->values[cell] : 0;
}

/* The bytes of a value from one on. */
static uint32_t slice(struct values *v, uint32_t value, unsigned at,
                      unsigned bytes)
{
    return values_pure(v, PURE_PART, bytes * 8, bytes * 8, value,
                       values_integer(v, at));
}

static uint32_t get(struct walker *w, const struct memory *m, uint32_t cell)
{
    const struct cell *c = &w->cells[cell];
    uint32_t value = raw(m, cell);

    if (value)
        return value;
    if (c->whole == LSL_NONE)
        return c->initial;

    const struct cell *whole = &w->cells[c->whole];

    return slice(&w->u->values, get(w, m, c->whole),
                 (unsigned)(c->offset - whole->offset), c->size);
}

static void set(struct walker *w, struct flow *f, uint32_t cell, uint32_t value)
{
    struct memory *m = arena_alloc(
        &w->u->scratch, sizeof(*m) + w->cell_count * sizeof(*m->values));

    if (f->memory)
        memcpy(m->values, f->memory->values,
               f->memory->count * sizeof(*m->values));
    m->count = w->cell_count;
    m->values[cell] = value;
    f->memory = m;
}

/* ---- Cells ---- */

static uint32_t initial(struct walker *w, uint32_t object, uint64_t offset,
                        unsigned size)
{
    const struct flat_object *o = &w->u->out.objects[object];
    struct lsl_value value = {.kind = LSL_UNDEFINED};

    if (o->global)
        value = lsl_initial(&w->u->program->objects[o->global], offset, size);
    else if (o->zeroed)
        value = LSL_INT(0);
    return values_constant(&w->u->values, value);
}

static uint32_t add_cell(struct walker *w, struct cell c)
{
    w->cells = flat_room(&w->u->scratch, w->cells, w->cell_count, &w->cell_room,
                         sizeof(*w->cells));
    if (c.whole == LSL_NONE)
        c.initial = initial(w, c.object, c.offset, c.size);
    w->cells[w->cell_count] = c;
    return w->cell_count++;
}

static void split(struct walker *w, uint32_t cell, uint32_t size)
{
    struct cell c = w->cells[cell];

    w->cells[cell].split = true;
    for (uint32_t at = 0; at < c.size; at += size)
        add_cell(w, (struct cell){.object = c.object,
                                  .size = size,
                                  .offset = c.offset + at,
                                  .whole = cell});
}

/* The cell that has that byte now, or LSL_NONE. */
static uint32_t cell_at(const struct walker *w, uint32_t object, uint64_t at)
{
    for (uint32_t i = w->cell_count; i-- > 0;) {
        const struct cell *c = &w->cells[i];

        if (c->object == object && !c->split && c->offset <= at &&
            at < c->offset + c->size)
            return i;
    }
    return LSL_NONE;
}

static bool is_free(const struct walker *w, uint32_t object, uint64_t offset,
                    unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        if (cell_at(w, object, offset + i) != LSL_NONE)
            return false;
    return true;
}

/* The largest new cell that begins there and ends before `end`. */
static uint32_t new_cell(struct walker *w, uint32_t object, uint64_t offset,
                         uint64_t end)
{
    uint32_t size = 8;

    while (size > 1 && (offset + size > end || offset % size ||
                        !is_free(w, object, offset, size)))
        size /= 2;
    return add_cell(w, (struct cell){.object = object,
                                     .size = size,
                                     .offset = offset,
                                     .whole = LSL_NONE});
}

/* The cells that together are that range, in order. */
static unsigned parts_of(struct walker *w, struct lsl_value place,
                         unsigned size, uint32_t *out)
{
    uint64_t at = place.bits, end = at + size;
    unsigned count = 0;

    while (at < end) {
        uint32_t cell = cell_at(w, place.base, at);
        const struct cell *c;

        if (cell == LSL_NONE)
            cell = new_cell(w, place.base, at, end);
        c = &w->cells[cell];
        if (c->offset < at || c->offset + c->size > end) {
            /* Accesses are aligned, so parts of that size fit. */
            split(w, cell, at % size || c->size <= size ? 1 : size);
            continue;
        }
        out[count++] = cell;
        at += c->size;
    }
    return count;
}

/* ---- One place ---- */

/* All parts of one whole, none of them written: the whole. */
static uint32_t untouched_whole(struct walker *w, const struct memory *m,
                                const uint32_t *parts, unsigned count,
                                unsigned size)
{
    uint32_t whole = w->cells[parts[0]].whole;

    if (whole == LSL_NONE || w->cells[whole].size != size)
        return 0;
    for (unsigned i = 0; i < count; i++)
        if (raw(m, parts[i]) || w->cells[parts[i]].whole != whole)
            return 0;
    return get(w, m, whole);
}

static uint32_t load_place(struct walker *w, const struct memory *m,
                           struct lsl_value place, unsigned size)
{
    struct values *v = &w->u->values;
    uint32_t parts[MAX_PARTS], value;
    unsigned count = parts_of(w, place, size, parts), at;

    if (count == 1)
        return get(w, m, parts[0]);
    if ((value = untouched_whole(w, m, parts, count, size)))
        return value;
    value = get(w, m, parts[0]);
    at = w->cells[parts[0]].size;
    for (unsigned i = 1; i < count; i++) {
        unsigned low = at * 8;

        at += w->cells[parts[i]].size;
        value =
            values_pure(v, PURE_JOIN, at * 8, low, value, get(w, m, parts[i]));
    }
    return value;
}

static void store_place(struct walker *w, struct flow *f,
                        struct lsl_value place, unsigned size,
                        uint32_t condition, uint32_t value)
{
    struct values *v = &w->u->values;
    uint32_t parts[MAX_PARTS];
    unsigned count = parts_of(w, place, size, parts), at = 0;

    for (unsigned i = 0; i < count; i++) {
        unsigned part = w->cells[parts[i]].size;
        uint32_t now = count == 1 ? value : slice(v, value, at, part);

        set(w, f, parts[i],
            values_ite(v, condition, now, get(w, f->memory, parts[i])));
        at += part;
    }
}

/* ---- Addresses ---- */

static bool is_inside(const struct walker *w, struct lsl_value place,
                      unsigned size)
{
    const struct flat_object *o = &w->u->out.objects[place.base];

    return size <= o->size && place.bits <= o->size - size;
}

/* The thread fails where the option is no place; true if it is one. */
static bool check_place(struct walker *w, struct flow *f,
                        const struct option *o, const struct lsl_inst *i)
{
    if (o->constant.kind == LSL_UNDEFINED)
        flat_fail_if(w, f, o->guard, FAIL_UNDEFINED, i->site,
                     "an undefined value is used as an address");
    else if (o->constant.kind == LSL_INTEGER)
        flat_fail_if(w, f, o->guard, FAIL_NULL_ACCESS, i->site,
                     failure_kind_words(FAIL_NULL_ACCESS));
    else if (!is_inside(w, o->constant, i->size))
        flat_fail_if(w, f, o->guard, FAIL_OUT_OF_BOUNDS, i->site,
                     "access out of bounds");
    else
        return true;
    return false;
}

/* What the offset is a multiple of, beyond its constant part. */
static uint64_t stride_of(const struct values *v, uint32_t value)
{
    const struct flat_value *x = &v->list[value];
    struct lsl_value c;

    if (x->op != FLAT_PURE || !x->b || !values_is(v, x->b, &c) ||
        c.kind != LSL_INTEGER)
        return 1;
    if (x->pure == PURE_MUL && c.bits)
        return c.bits;
    if (x->pure == PURE_SHL && c.bits < 32)
        return 1ull << c.bits;
    return 1;
}

/* An index into an object that is known: each element may be meant. */
static bool element_options(struct walker *w, struct flow *f,
                            const struct lsl_inst *i, uint32_t address,
                            struct option *out, unsigned *count)
{
    struct values *v = &w->u->values;
    struct flat_value x = v->list[address];
    struct lsl_value base;
    uint64_t stride, at;
    uint32_t nowhere = FLAT_TRUE;

    if (x.op != FLAT_PURE || x.pure != PURE_ADD || !values_is(v, x.b, &base) ||
        base.kind != LSL_POINTER)
        return false;
    stride = stride_of(v, x.a);
    if (stride % i->size)
        stride = i->size;
    flat_need_defined(w, f, address, i->site,
                      "an undefined value is used as an address");
    *count = 0;
    for (at = base.bits % stride;; at += stride) {
        struct lsl_value place = {LSL_POINTER, base.base, at};

        if (!is_inside(w, place, i->size))
            break;
        if (*count == MAX_PLACES)
            return false;
        out[*count] =
            (struct option){guard_equals(v, address, 64, place), place};
        nowhere = guard_and(v, nowhere, guard_not(v, out[(*count)++].guard));
    }
    flat_fail_if(w, f, nowhere, FAIL_OUT_OF_BOUNDS, i->site,
                 "access out of bounds");
    return true;
}

static bool options_of(struct walker *w, struct flow *f,
                       const struct lsl_inst *i, uint32_t address,
                       struct option *out, unsigned *count)
{
    if (values_options(&w->u->values, address, out, count) ||
        element_options(w, f, i, address, out, count))
        return true;
    flat_refuse(w, f, i->site,
                "which local variable a pointer leads to cannot be told");
    return false;
}

static uint32_t fitted(struct values *v, uint32_t value, unsigned width)
{
    unsigned from = v->list[value].width;

    if (v->list[value].op == FLAT_CONSTANT || from == width)
        return value;
    return values_pure(v, from < width ? PURE_ZEXT : PURE_TRUNC, width, from,
                       value, 0);
}

uint32_t private_load(struct walker *w, struct flow *f,
                      const struct lsl_inst *i, uint32_t address,
                      unsigned width)
{
    struct values *v = &w->u->values;
    struct option options[MAX_PLACES];
    unsigned count;
    uint32_t value = 0;

    if (!options_of(w, f, i, address, options, &count))
        return values_integer(v, 0);
    for (unsigned k = 0; k < count; k++) {
        uint32_t here;

        if (!check_place(w, f, &options[k], i))
            continue;
        here = fitted(v, load_place(w, f->memory, options[k].constant, i->size),
                      width);
        value = value ? values_ite(v, options[k].guard, here, value) : here;
    }
    return value ? value : values_integer(v, 0);
}

void private_store(struct walker *w, struct flow *f, const struct lsl_inst *i,
                   uint32_t address, uint32_t condition, uint32_t value)
{
    struct option options[MAX_PLACES];
    unsigned count;

    if (!options_of(w, f, i, address, options, &count))
        return;
    for (unsigned k = 0; k < count; k++)
        if (check_place(w, f, &options[k], i))
            store_place(w, f, options[k].constant, i->size,
                        guard_and(&w->u->values, condition, options[k].guard),
                        value);
}

/* ---- Where ways join, and where a round ends ---- */

const struct memory *private_merge(struct walker *w, uint32_t guard,
                                   const struct memory *a,
                                   const struct memory *b)
{
    struct memory *m;

    if (a == b)
        return a;
    m = arena_alloc(&w->u->scratch,
                    sizeof(*m) + w->cell_count * sizeof(*m->values));
    m->count = w->cell_count;
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t x = raw(a, i), y = raw(b, i);

        m->values[i] = x == y ? x
                              : values_ite(&w->u->values, guard, get(w, a, i),
                                           get(w, b, i));
    }
    return m;
}

uint32_t private_same(struct walker *w, const struct memory *a,
                      const struct memory *b, uint32_t objects)
{
    struct values *v = &w->u->values;
    uint32_t same = FLAT_TRUE;

    if (a == b)
        return same;
    for (uint32_t i = 0; i < w->cell_count && same != FLAT_FALSE; i++)
        if (w->cells[i].object < objects && !w->cells[i].split &&
            raw(a, i) != raw(b, i)) {
            uint32_t one = get(w, a, i);

            same = guard_and(v, same, guard_same(v, one, get(w, b, i)));
        }
    return same;
}
