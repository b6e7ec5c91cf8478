/* SPDX-License-Identifier: MIT
 *
 * Views: for each cell (cells.h) the newest of its writes that comes before
 * something.  Coherence is part of every order we look at, so that one number
 * per cell says it all.  Joining two views is a maximum, lane by lane.
 *
 * A view has as many lanes as it needed so far, and is 0 in all others, so that
 * nothing need be cleared when an execution begins or a cell is new.
 *
 * Views of one sort lie in a row, each with room for `stride` bytes; the room
 * grows with the cells of the program and stays.
 */
#ifndef MONITOR_VIEW_H
#define MONITOR_VIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define VIEW_BLOCK 16 /* lanes that are handled together */
#define VIEW_MOST INT16_MAX

typedef int16_t view_block
    __attribute__((vector_size(2 * VIEW_BLOCK), aligned(16), may_alias));

struct view {
    uint32_t wide; /* lanes that hold something, in blocks */
    uint32_t unused[3];
    int16_t lanes[]; /* aligned to 16 bytes */
};

struct views {
    char *at;
    uint32_t count; /* in use, as far as growing minds */
};

/* Bytes from one view to the next: the same for all. */
extern uint32_t view_stride;

static inline struct view *view_of(const struct views *v, uint32_t i)
{
    return (struct view *)(v->at + (size_t)i * view_stride);
}

static inline int16_t view_lane(const struct view *v, uint32_t cell)
{
    return cell < v->wide ? v->lanes[cell] : 0;
}

static inline void view_widen(struct view *v, uint32_t wide)
{
    if (v->wide >= wide)
        return;
    memset(v->lanes + v->wide, 0, (wide - v->wide) * sizeof *v->lanes);
    v->wide = wide;
}

static inline void view_set(struct view *v, uint32_t cell, int16_t place)
{
    if (cell >= v->wide)
        view_widen(v, (cell & ~(VIEW_BLOCK - 1u)) + VIEW_BLOCK);
    v->lanes[cell] = place;
}

static inline void view_join(struct view *to, const struct view *from)
{
    uint32_t wide = from->wide;

    view_widen(to, wide);
    for (uint32_t i = 0; i < wide; i += VIEW_BLOCK) {
        view_block *a = (view_block *)(to->lanes + i);
        const view_block *b = (const view_block *)(from->lanes + i);
        view_block greater = *a > *b;

        *a = (*a & greater) | (*b & ~greater);
    }
}

static inline void view_copy(struct view *to, const struct view *from)
{
    uint32_t wide = from->wide;

    to->wide = wide;
    for (uint32_t i = 0; i < wide; i += VIEW_BLOCK)
        *(view_block *)(to->lanes + i) = *(const view_block *)(from->lanes + i);
}

static inline void view_clear(struct view *v)
{
    v->wide = 0;
}

/* Memory for `most` views, whatever their stride; false: there is none. */
bool views_map(struct views *v, uint32_t most);

/* Cell `new` is as `old` in all of them. */
void views_split(const struct views *v, uint16_t old, uint16_t new);

/* Makes room for so many cells in all views that were mapped. */
void views_grow(uint32_t cell_count);

#endif
