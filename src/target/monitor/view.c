/* SPDX-License-Identifier: MIT
 *
 * Where views live: each sort in a mapping of its own, as large as it could
 * ever become; what nobody writes costs nothing.
 */
#include "monitor/view.h"

#include <sys/mman.h>

#include "event/must.h"
#include "monitor/cells.h"

#define MAX_SORTS 16

static struct views *sorts[MAX_SORTS];
static uint32_t sort_count;

static uint32_t stride_for(uint32_t cell_count)
{
    return (uint32_t)(sizeof(struct view) + cell_count * sizeof(int16_t));
}

uint32_t view_stride = sizeof(struct view) + VIEW_LEAST * sizeof(int16_t);

static bool has_avx2;

/* ---- Many lanes ---- */

void view_widen(struct view *v, uint32_t cell)
{
    MUST(cell < cells.count && v->wide >= VIEW_LEAST);
    for (; v->wide <= cell; v->wide += VIEW_LEAST)
        memset(view_at(v, v->wide), 0, VIEW_LEAST * sizeof *v->lanes);
}

/* Lanes VIEW_LEAST to `end`. */
static void unite(struct view *to, const struct view *a, const struct view *b,
                  uint32_t end)
{
    for (uint32_t i = VIEW_LEAST; i < end; i += VIEW_BLOCK)
        *view_at(to, i) = view_greater(*view_at(a, i), *view_at(b, i));
}

/* The same two blocks at a time, where the processor has such instructions. */
typedef int16_t two_blocks
    __attribute__((vector_size(4 * VIEW_BLOCK), aligned(16), may_alias));

__attribute__((target("avx2"))) static void unite_avx2(struct view *to,
                                                       const struct view *a,
                                                       const struct view *b,
                                                       uint32_t end)
{
    for (uint32_t i = VIEW_LEAST; i < end; i += 2 * VIEW_BLOCK) {
        two_blocks x = *(two_blocks *)view_at(a, i);
        two_blocks y = *(two_blocks *)view_at(b, i);
        two_blocks is = x > y;

        *(two_blocks *)view_at(to, i) = (x & is) | (y & ~is);
    }
}

void view_unite_wide(struct view *to, const struct view *a,
                     const struct view *b)
{
    const struct view *wider = a->wide > b->wide ? a : b;
    uint32_t both = a->wide > b->wide ? b->wide : a->wide;
    uint32_t wide = wider->wide, i = both;

    MUST(both >= VIEW_LEAST && wide <= CELLS_MAX);
    if (has_avx2)
        unite_avx2(to, a, b, both);
    else
        unite(to, a, b, both);
    if (to != wider)
        memcpy(view_at(to, i), view_at(wider, i),
               (wide - i) * sizeof *to->lanes);
    to->wide = wide;
}

void view_copy_wide(struct view *to, const struct view *from)
{
    MUST(from->wide >= VIEW_LEAST && from->wide <= CELLS_MAX);
    memcpy(view_at(to, VIEW_LEAST), view_at(from, VIEW_LEAST),
           (from->wide - VIEW_LEAST) * sizeof *to->lanes);
    to->wide = from->wide;
}

/* ---- Room ---- */

bool views_map(struct views *v, uint32_t most)
{
    void *at;

    has_avx2 = __builtin_cpu_supports("avx2");
    if (v->at)
        return true;
    if (sort_count == MAX_SORTS)
        return false;
    at =
        mmap(NULL, (size_t)most * stride_for(CELLS_MAX), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return false;
    v->at = at;
    sorts[sort_count++] = v;
    return true;
}

void views_split(const struct views *v, uint16_t old, uint16_t new)
{
    for (uint32_t i = 0; i < v->count; i++) {
        struct view *one = view_of(v, i);
        int16_t place = view_lane(one, old);

        if (place)
            view_set(one, new, place);
    }
}

/* The last first, for each moves up. */
static void move_apart(struct views *v, uint32_t stride)
{
    for (uint32_t i = v->count; i-- > 0;)
        memmove(v->at + (size_t)i * stride, view_of(v, i), view_stride);
}

void views_grow(uint32_t cell_count)
{
    uint32_t stride = view_stride;

    while (stride < stride_for(cell_count))
        stride += stride - (uint32_t)sizeof(struct view);
    if (stride == view_stride)
        return;
    MUST(cell_count <= CELLS_MAX);
    for (uint32_t i = 0; i < sort_count; i++)
        move_apart(sorts[i], stride);
    view_stride = stride;
}
