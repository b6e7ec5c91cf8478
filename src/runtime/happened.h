/* SPDX-License-Identifier: MIT
 *
 * Telling engines what happens (event/happening.h): every access, fence and
 * synchronisation, at the moment it takes effect, on SC.  Costs one test where
 * nobody listens.
 */
#ifndef RUNTIME_HAPPENED_H
#define RUNTIME_HAPPENED_H

#include "runtime/rt.h"

/* Thread and HAPPENED_BLOCK, _ALONE are filled in.  Beyond the room there is
 * the execution is cut: rt_cut_execution. */
void happened_add(struct happening h);

#define HAPPENED(...)                                                          \
    do {                                                                       \
        if (rt.view.log)                                                       \
            happened_add((struct happening){__VA_ARGS__});                     \
    } while (0)

/* To the machine a synchronisation object is one word, whatever it consists
 * of. */
static inline uint8_t happened_size(size_t size)
{
    return size == 4 ? 4 : 8;
}

/* An operation on one. */
static inline void happened_object(enum event_kind kind, const void *object,
                                   size_t size, uint64_t read, uint64_t wrote,
                                   unsigned flags, uint32_t site)
{
    HAPPENED(.kind = (uint8_t)kind, .address = (uint64_t)object,
             .size = happened_size(size), .read = read, .wrote = wrote,
             .flags = (uint8_t)flags, .site = site);
}

#endif
