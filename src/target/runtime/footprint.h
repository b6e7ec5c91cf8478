/* SPDX-License-Identifier: MIT
 *
 * What a step touches, for strategies that want to know which steps could
 * change places (schedule/schedule.h).  All that a step's way depends on is
 * said here: memory by the machine, objects of the thread library by their
 * models.  A model that says nothing is taken to touch everything, from its
 * first line (rt_take_site) until instrumented code calls again.
 */
#ifndef RUNTIME_FOOTPRINT_H
#define RUNTIME_FOOTPRINT_H

#include "runtime/rt.h"

void footprint_add(enum touch_kind kind, uint64_t address, uint64_t size);

static inline void footprint_read(uint64_t address, uint64_t size)
{
    if (rt.view.footprint)
        footprint_add(TOUCH_READ, address, size);
}

/* From the own buffer, wholly or in part. */
static inline void footprint_own(uint64_t address, uint64_t size)
{
    if (rt.view.footprint)
        footprint_add(TOUCH_OWN, address, size);
}

static inline void footprint_change(uint64_t address, uint64_t size)
{
    if (rt.view.footprint)
        footprint_add(TOUCH_CHANGE, address, size);
}

/* A change of [from, to), in one piece with one that ended there. */
void footprint_grow(uint64_t from, uint64_t to);

/* A write as a model has them, with a moment. */
static inline void footprint_write(uint64_t address, uint64_t size)
{
    if (rt.view.footprint)
        footprint_add(TOUCH_WRITE, address, size);
}

/* Anything. */
static inline void footprint_all(void)
{
    if (rt.view.footprint)
        rt.view.footprint->all = true;
}

/* Every write before it matters: histories are cut here. */
static inline void footprint_cut(void)
{
    if (rt.view.footprint && rt.model->reorders_loads)
        rt.view.footprint->reads_all = true;
}

/* How full the own buffer is matters. */
static inline void footprint_buffer(void)
{
    if (rt.view.footprint)
        rt.view.footprint->buffer = true;
}

#endif
