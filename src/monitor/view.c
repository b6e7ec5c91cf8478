/* SPDX-License-Identifier: MIT
 *
 * Where views live: each sort in a mapping of its own, as large as it could
 * ever become; what nobody writes costs nothing.
 */
#include "monitor/view.h"

#include <sys/mman.h>

#include "monitor/cells.h"

#define MAX_SORTS 16

static struct views *sorts[MAX_SORTS];
static uint32_t sort_count;

static uint32_t stride_for(uint32_t cell_count)
{
    return (uint32_t)(sizeof(struct view) + cell_count * sizeof(int16_t));
}

uint32_t view_stride = sizeof(struct view) + VIEW_BLOCK * sizeof(int16_t);

bool views_map(struct views *v, uint32_t most)
{
    void *at;

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
    for (uint32_t i = 0; i < sort_count; i++)
        move_apart(sorts[i], stride);
    view_stride = stride;
}
