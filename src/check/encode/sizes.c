/* SPDX-License-Identifier: MIT
 *
 * Accesses that share some bytes, but not all: a field of a word that is
 * exchanged as a whole, a struct that is copied.  Each is cut where the other
 * begins or ends, until any two share all bytes or none.  Then "the same
 * address" says all, and each part has a source of its own.
 *
 * Which accesses meet is what the ranges of their addresses say, and these grow
 * with what parts may hold.  So cutting goes on until nothing is left to cut:
 * then the ranges are complete, since nobody reads what comes from an access
 * that is not at the same address.
 *
 * On models of order an access stays one step: its parts are a unit.  In C11 a
 * plain access has as many accesses as parts, as for the search over graphs: if
 * there is no race each byte has one value.  An atomic one is refused.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "encode/encode_inside.h"
#include "encode/encode_relate.h"

struct cell {
    struct lsl_value at;
    uint32_t size, event;
};

struct cells {
    VEC(struct cell);
};

struct cutter {
    const struct flat *from; /* whole */
    const struct model *model;
    const struct encode_options *options;
    bool by_terms;
    struct arena *arena;
    struct flat now; /* in parts */
    uint32_t *origin;
    uint8_t *cuts; /* per event of `from` */
    bool changed;
    struct err *err;
};

/* ---- Which share bytes ---- */

static int compare_cells(const void *a, const void *b)
{
    const struct cell *p = a, *q = b;
    int order = value_compare(p->at, q->at);

    return order ? order : p->size < q->size ? -1 : p->size > q->size;
}

static void add_cells(const struct flat *f, const struct ranges *r,
                      uint32_t event, struct cells *out)
{
    const struct flat_event *e = &f->events[event];
    const struct range *at = &r->of[e->address];

    if ((e->kind != FLAT_LOAD && e->kind != FLAT_STORE) ||
        !(r->guard[e->guard] & MAY_BE_TRUE))
        return;
    for (uint32_t k = 0; k < at->count; k++) {
        if (address_is_good(f, at->list[k], e->size))
            VEC_PUSH(out, {at->list[k], e->size, event});
    }
}

/* By address. */
static void find_cells(const struct flat *f, const struct ranges *r,
                       struct cells *out)
{
    for (uint32_t i = 0; i < f->event_count; i++)
        add_cells(f, r, i, out);
    if (out->count)
        qsort(out->list, out->count, sizeof *out->list, compare_cells);
}

static bool meet(const struct cell *p, const struct cell *q)
{
    return p->at.base == q->at.base && p->at.bits + p->size > q->at.bits;
}

static bool is_same(const struct cell *p, const struct cell *q)
{
    return p->at.bits == q->at.bits && p->size == q->size;
}

static bool refuse(const struct flat *f, uint32_t event, uint32_t other,
                   const char *why, struct err *e)
{
    struct buf here = {0}, there = {0};

    lsl_put_site(f->program, f->events[event].site, &here);
    lsl_put_site(f->program, f->events[other].site, &there);
    err_set(e, "%s: %s (and %s)", here.bytes, why, there.bytes);
    buf_free(&here);
    buf_free(&there);
    return false;
}

bool sizes_are_even(const struct flat *f, const struct ranges *r, struct err *e)
{
    struct cells cells = {0};
    bool even = true;

    find_cells(f, r, &cells);
    for (size_t i = 1; i < cells.count && even; i++) {
        const struct cell *p = &cells.list[i - 1], *q = &cells.list[i];

        if (meet(p, q) && !is_same(p, q))
            even = refuse(f, p->event, q->event,
                          "accesses of different sizes to the same memory", e);
    }
    VEC_FREE(&cells);
    return even;
}

/* ---- Cutting ---- */

/* Why that access cannot have parts; or NULL. */
static const char *uncut(const struct cutter *c, const struct flat_event *e)
{
    if (e->flags & FLAT_LOCK)
        return "part of a lock or semaphore is accessed";
    if (c->model->by_language && e->flags & (FLAT_ATOMIC | FLAT_RMW))
        return "atomic accesses of different sizes to the same memory have no "
               "meaning on this model";
    if (c->by_terms)
        return "accesses of different sizes to the same memory are not "
               "supported on this model";
    return NULL;
}

/* Bytes of its origin that come before a part. */
static unsigned offset_of(const struct cutter *c, uint32_t event)
{
    unsigned offset = 0;

    for (uint32_t i = event; i-- > 0 && c->origin[i] == c->origin[event];)
        offset += c->now.events[i].size;
    return offset;
}

/* Before that byte of memory, if the cell has it in its middle. */
static bool cut_at(struct cutter *c, const struct cell *p,
                   const struct cell *other, uint64_t at)
{
    const struct flat_event *e = &c->now.events[p->event];
    const char *why;

    if (at <= p->at.bits || at >= p->at.bits + p->size)
        return true;
    why = uncut(c, e);
    if (why)
        return refuse(&c->now, p->event, other->event, why, c->err);
    c->cuts[c->origin[p->event]] |=
        (uint8_t)(1u << (offset_of(c, p->event) + (at - p->at.bits)));
    c->changed = true;
    return true;
}

static bool cut_both(struct cutter *c, const struct cell *p,
                     const struct cell *q)
{
    return cut_at(c, p, q, q->at.bits) &&
           cut_at(c, p, q, q->at.bits + q->size) &&
           cut_at(c, q, p, p->at.bits) && cut_at(c, q, p, p->at.bits + p->size);
}

/* Does a variable hold a pointer there, of which that is only a part? */
static bool keeps_pointer(const struct cutter *c, const struct cell *p)
{
    const struct flat_object *o = &c->now.objects[p->at.base];

    return !o->global ||
           !lsl_cuts_pointer(&c->now.program->objects[o->global], p->at.bits,
                             p->size) ||
           refuse(&c->now, p->event, p->event,
                  "a part of a pointer is accessed", c->err);
}

static bool cut_cells(struct cutter *c, const struct cells *cells)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *p = &cells->list[i];

        if (!keeps_pointer(c, p))
            return false;
        for (size_t k = i + 1; k < cells->count && meet(p, &cells->list[k]);
             k++) {
            if (!is_same(p, &cells->list[k]) &&
                !cut_both(c, p, &cells->list[k]))
                return false;
        }
    }
    return true;
}

/* What meets, as far as it is known by now. */
static bool cut_once(struct cutter *c)
{
    struct arena scratch = ARENA_INIT;
    struct fixed fixed = {0};
    struct ranges r = {.everything = c->options->no_ranges};
    struct cells cells = {0};
    bool ok;

    c->changed = false;
    fixed_find(&fixed, &c->now, &scratch);
    ok = ranges_find(&r, &c->now, &fixed, &scratch, c->err);
    if (ok) {
        find_cells(&c->now, &r, &cells);
        ok = cut_cells(c, &cells);
    }
    VEC_FREE(&cells);
    ranges_free(&r);
    arena_free(&scratch);
    return ok;
}

bool encode_cut(const struct flat *f, const struct model *m,
                const struct encode_options *options, struct arena *a,
                struct flat *out, struct err *e)
{
    struct cutter c = {.from = f,
                       .model = m,
                       .options = options,
                       .arena = a,
                       .cuts = arena_array(a, f->event_count + 1, 1),
                       .changed = true,
                       .err = e};

    c.by_terms = !m->by_language && statement_read(m, a) != NULL;
    while (c.changed) {
        flat_split(f, c.cuts, !m->by_language, a, &c.now, &c.origin);
        if (!cut_once(&c))
            return false;
    }
    *out = c.now;
    return true;
}
