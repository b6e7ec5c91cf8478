/* SPDX-License-Identifier: MIT
 *
 * Which steps may change places, by what they touched (struct footprint).
 */
#ifndef SCHEDULE_TOUCH_H
#define SCHEDULE_TOUCH_H

#include <string.h>

#include "event/must.h"
#include "schedule/schedule.h"

static inline void footprint_clear(struct footprint *f)
{
    f->count = 0;
    f->all = f->reads_all = f->buffer = false;
}

static inline bool touch_meets(const struct touch *a, const struct touch *b,
                               bool same_thread)
{
    if (a->kind < TOUCH_CHANGE && b->kind < TOUCH_CHANGE)
        return false;
    if ((a->kind == TOUCH_OWN || b->kind == TOUCH_OWN) && !same_thread)
        return false;
    return a->address < b->address + b->size &&
           b->address < a->address + a->size;
}

static inline bool footprint_writes(const struct footprint *f)
{
    for (uint32_t i = 0; i < f->count; i++)
        if (f->touch[i].kind == TOUCH_WRITE)
            return true;
    return false;
}

/* Does some touch of one meet one of the other? */
static inline bool footprints_meet(const struct footprint *f,
                                   const struct footprint *g, bool same_thread)
{
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t j = 0; j < g->count; j++)
            if (touch_meets(&f->touch[i], &g->touch[j], same_thread))
                return true;
    return false;
}

static inline void footprint_unite(struct footprint *f,
                                   const struct footprint *with)
{
    MUST(f->count <= FOOTPRINT_MAX && with->count <= FOOTPRINT_MAX);
    f->all = f->all || with->all;
    f->reads_all = f->reads_all || with->reads_all;
    f->buffer = f->buffer || with->buffer;
    for (uint32_t i = 0; i < with->count; i++) {
        uint32_t j = 0;

        while (j < f->count &&
               memcmp(&f->touch[j], &with->touch[i], sizeof *f->touch) != 0)
            j++;
        if (j == FOOTPRINT_MAX)
            f->all = true;
        else if (j == f->count)
            f->touch[f->count++] = with->touch[i];
    }
}

#endif
