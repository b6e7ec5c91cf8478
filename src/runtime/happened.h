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

#endif
