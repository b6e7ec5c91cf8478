/* SPDX-License-Identifier: MIT
 *
 * What a step touches, piece by piece: see footprint.h.  There is room for few
 * pieces: what is said already is not said again, and when there is no room
 * left a piece grows to what lies between.
 */
#include "runtime/footprint.h"

#include "event/must.h"
#include "runtime/labels.h"
#include "runtime/native.h"

/* Where no load can go back in time, a write is a change like any other. */
static bool says_more(enum touch_kind kind, enum touch_kind than)
{
    if (kind == than)
        return false;
    if (kind == TOUCH_OWN || than == TOUCH_OWN)
        return true;
    return kind > than && (than < TOUCH_CHANGE || rt.model->reorders_loads);
}

static bool covers(const struct touch *t, enum touch_kind kind,
                   uint64_t address, uint64_t size)
{
    return address >= t->address && address + size <= t->address + t->size &&
           !says_more(kind, t->kind);
}

static uint64_t min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Bytes of the smallest piece that holds both. */
static uint64_t span(const struct touch *t, uint64_t address, uint64_t size)
{
    uint64_t end = t->address + t->size;

    if (end < address + size)
        end = address + size;
    return end - min(t->address, address);
}

static void widen(struct footprint *f, enum touch_kind kind, uint64_t address,
                  uint64_t size)
{
    struct touch *best = NULL;
    uint64_t least = UINT32_MAX;

    for (uint32_t i = 0; i < f->count; i++) {
        struct touch *t = &f->touch[i];

        if (t->kind == (uint32_t)kind && span(t, address, size) < least) {
            best = t;
            least = span(t, address, size);
        }
    }
    if (!best) {
        f->all = true;
        return;
    }
    MUST(least >= best->size && least < UINT32_MAX);
    best->address = min(best->address, address);
    best->size = (uint32_t)least;
}

/* Text is read byte by byte: one piece. */
static bool reads_on(struct touch *t, enum touch_kind kind, uint64_t address,
                     uint64_t size)
{
    if (kind != TOUCH_READ || t->kind != TOUCH_READ ||
        t->address + t->size != address || size > UINT32_MAX - t->size)
        return false;
    t->size += (uint32_t)size;
    return true;
}

void footprint_add(enum touch_kind kind, uint64_t address, uint64_t size)
{
    struct footprint *f = rt.view.footprint;

    if (native_is_on())
        native_touches_now(address, size);

    MUST(f->count <= FOOTPRINT_MAX);
    if (kind != TOUCH_OWN)
        labels_touched(kind != TOUCH_READ, address, size);
    for (uint32_t i = 0; i < f->count; i++)
        if (covers(&f->touch[i], kind, address, size) ||
            reads_on(&f->touch[i], kind, address, size))
            return;
    if (f->count == FOOTPRINT_MAX || size > UINT32_MAX)
        widen(f, kind, address, size);
    else
        f->touch[f->count++] =
            (struct touch){address, (uint32_t)size, (uint32_t)kind};
}

void footprint_grow(uint64_t from, uint64_t to)
{
    struct footprint *f = rt.view.footprint;

    MUST(from <= to);
    if (!f)
        return;
    for (uint32_t i = 0; i < f->count; i++) {
        struct touch *t = &f->touch[i];

        if (t->kind == TOUCH_CHANGE && t->address + t->size == from &&
            to - t->address <= UINT32_MAX) {
            t->size = (uint32_t)(to - t->address);
            return;
        }
    }
    footprint_add(TOUCH_CHANGE, from, to - from);
}
