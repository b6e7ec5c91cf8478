/* SPDX-License-Identifier: MIT
 *
 * Locals of functions that have returned.  Another thread that still knows the
 * address touches whatever the owner has put there since: a finding of its own.
 *
 * The owner itself is not watched: the C library and the runtime have variables
 * there without telling.  Nor is anybody in a graph, where threads run one at a
 * time (runtime/native.h): there it is noted that nobody looked.
 */
#include "runtime/locals.h"

#include "runtime/fiber.h"
#include "runtime/footprint.h"
#include "runtime/modelled.h"
#include "runtime/native.h"
#include "runtime/shadow.h"

#define DEAD_MAX 64
#define GRANULE 16ull

_Static_assert(!SHADOW_CLEAN && SHADOW_DIRTY == 1 && !(SHADOW_DEAD_LOCAL & 1),
               "what a granule was is its lowest bit");

static struct dead_local dead[DEAD_MAX];
static uint32_t dead_count;

static bool overlaps(const struct dead_local *l, uint64_t start, uint64_t end)
{
    return l->start < end && start < l->end;
}

static bool is_dead_in_part(uint64_t start, uint64_t end)
{
    for (uint32_t i = 0; i < dead_count; i++)
        if (overlaps(&dead[i], start, end))
            return true;
    return false;
}

static void paint(const struct dead_local *l)
{
    for (uint64_t g = l->start & ~(GRANULE - 1); g < l->end; g += GRANULE)
        if (*shadow_of(g) < SHADOW_BAD)
            *shadow_of(g) |= SHADOW_DEAD_LOCAL;
}

static void clean(const struct dead_local *l)
{
    for (uint64_t g = l->start & ~(GRANULE - 1); g < l->end; g += GRANULE)
        if ((*shadow_of(g) & ~SHADOW_DIRTY) == SHADOW_DEAD_LOCAL &&
            !is_dead_in_part(g, g + GRANULE))
            *shadow_of(g) &= SHADOW_DIRTY;
}

static void remove_at(uint32_t i)
{
    struct dead_local gone = dead[i];

    dead[i] = dead[--dead_count];
    clean(&gone);
}

const struct dead_local *locals_at(uint64_t address)
{
    for (uint32_t i = 0; i < dead_count; i++)
        if (overlaps(&dead[i], address, address + 1) &&
            dead[i].thread != rt.current->id)
            return &dead[i];
    return NULL;
}

void locals_forget(void)
{
    while (dead_count)
        remove_at(dead_count - 1);
}

static void revive(uint64_t start, uint64_t end)
{
    for (uint32_t i = dead_count; i-- > 0;)
        if (overlaps(&dead[i], start, end))
            remove_at(i);
}

HIDDEN(void, local_lives, (void *at, uint64_t size))
{
    if (dead_count)
        revive((uint64_t)at, (uint64_t)at + size);
}

HIDDEN(void, local_dies, (void *at, uint64_t size, uint32_t site))
{
    uint64_t start = (uint64_t)at, end = start + size;

    if (rt.graphs) {
        if (native_is_on() && size &&
            native_is_shared_in_part(start & ~7ull, end))
            rt.channel->unwatched_local = site;
        return;
    }
    if (!rt.multi || !size || fiber_of(start) != rt.current->id ||
        dead_count == DEAD_MAX)
        return;
    footprint_change(start, size);
    dead[dead_count] = (struct dead_local){start, end, site, rt.current->id};
    paint(&dead[dead_count++]);
}
