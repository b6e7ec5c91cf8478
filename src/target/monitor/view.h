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

#define VIEW_BLOCK 8 /* lanes that are handled together */
#define VIEW_LEAST                                                             \
    16 /* lanes that every view has; most programs need no more */
#define VIEW_MOST INT16_MAX

typedef int16_t view_block
    __attribute__((vector_size(2 * VIEW_BLOCK), may_alias));

struct view {
    uint32_t wide; /* lanes that it has: a multiple of VIEW_LEAST, not 0 */
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

static inline view_block *view_at(const struct view *v, uint32_t lane)
{
    return (view_block *)(uintptr_t)(v->lanes + lane);
}

static inline view_block view_greater(view_block a, view_block b)
{
    view_block is = a > b;

    return (a & is) | (b & ~is);
}

/* The same for lanes beyond the first. */
void view_widen(struct view *v, uint32_t cell);
void view_unite_wide(struct view *to, const struct view *a,
                     const struct view *b);
void view_copy_wide(struct view *to, const struct view *from);

static inline void view_set(struct view *v, uint32_t cell, int16_t place)
{
    if (cell >= v->wide)
        view_widen(v, cell);
    v->lanes[cell] = place;
}

/* to = a and b joined; it may be one of them. */
static inline void view_unite(struct view *to, const struct view *a,
                              const struct view *b)
{
    for (uint32_t i = 0; i < VIEW_LEAST; i += VIEW_BLOCK)
        *view_at(to, i) = view_greater(*view_at(a, i), *view_at(b, i));
    if (a->wide > VIEW_LEAST || b->wide > VIEW_LEAST)
        view_unite_wide(to, a, b);
    else
        to->wide = VIEW_LEAST;
}

static inline void view_join(struct view *to, const struct view *from)
{
    for (uint32_t i = 0; i < VIEW_LEAST; i += VIEW_BLOCK)
        *view_at(to, i) = view_greater(*view_at(to, i), *view_at(from, i));
    if (from->wide > VIEW_LEAST)
        view_unite_wide(to, to, from);
}

static inline void view_copy(struct view *to, const struct view *from)
{
    for (uint32_t i = 0; i < VIEW_LEAST; i += VIEW_BLOCK)
        *view_at(to, i) = *view_at(from, i);
    to->wide = VIEW_LEAST;
    if (from->wide > VIEW_LEAST)
        view_copy_wide(to, from);
}

static inline void view_clear(struct view *v)
{
    for (uint32_t i = 0; i < VIEW_LEAST; i += VIEW_BLOCK)
        *view_at(v, i) = (view_block){0};
    v->wide = VIEW_LEAST;
}

/* Memory for `most` views, whatever their stride; false: there is none. */
bool views_map(struct views *v, uint32_t most);

/* Cell `new` is as `old` in all of them. */
void views_split(const struct views *v, uint16_t old, uint16_t new);

/* Makes room for so many cells in all views that were mapped. */
void views_grow(uint32_t cell_count);

#endif
