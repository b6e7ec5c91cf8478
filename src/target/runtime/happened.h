/* SPDX-License-Identifier: MIT
 *
 * Telling engines what happens (event/happening.h): every access, fence and
 * synchronisation, at the moment it takes effect, on SC.  Costs one test where
 * nobody listens.
 */
#ifndef RUNTIME_HAPPENED_H
#define RUNTIME_HAPPENED_H

#include "runtime/native.h"
#include "runtime/rt.h"

/* Room for one more; beyond what there is the execution is cut. */
static inline struct happening *happened_next(void)
{
    if (rt.view.log_count == rt.view.log_room)
        rt_cut_execution();
    return &rt.view.log[rt.view.log_count++];
}

/* Fills in the thread, and HAPPENED_BLOCK, _FIRST and _ALONE. */
void happened_by(struct happening *h);

/* Written where it is to stay: a copy of what was just written in pieces would
 * wait for all of them. */
#define HAPPENED(...)                                                          \
    do {                                                                       \
        if (rt.view.log) {                                                     \
            struct happening *happening = happened_next();                     \
                                                                               \
            *happening = (struct happening){__VA_ARGS__};                      \
            happened_by(happening);                                            \
        }                                                                      \
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
    if (native_is_on())
        native_happened();
    HAPPENED(.kind = (uint8_t)kind, .address = (uint64_t)object,
             .size = happened_size(size), .read = read, .wrote = wrote,
             .flags = (uint8_t)flags, .site = site);
}

#endif
