/* SPDX-License-Identifier: MIT
 *
 * Telling engines what happens (event/happening.h): every access, fence and
 * synchronisation, at the moment it takes effect, on SC.  Costs one test where
 * nobody listens.
 */
#ifndef RUNTIME_HAPPENED_H
#define RUNTIME_HAPPENED_H

#include "runtime/rt.h"

#define HAPPENED_OBJECT 8 /* bytes of a synchronisation object */

/* Thread and HAPPENED_BLOCK, _ALONE are filled in.  Beyond the room there is
 * the execution is cut: rt_cut_execution. */
void happened_add(struct happening h);

#define HAPPENED(...)                                                          \
    do {                                                                       \
        if (rt.view.log)                                                       \
            happened_add((struct happening){__VA_ARGS__});                     \
    } while (0)

/* An operation on a synchronisation object, which is one word to the machine
 * whatever it consists of. */
static inline void happened_object(enum event_kind kind, const void *object,
                                   uint64_t read, uint64_t wrote,
                                   unsigned flags, uint32_t site)
{
    HAPPENED(.kind = (uint8_t)kind, .address = (uint64_t)object,
             .size = HAPPENED_OBJECT, .read = read, .wrote = wrote,
             .flags = (uint8_t)flags, .site = site);
}

#endif
