/* SPDX-License-Identifier: MIT
 *
 * Random programs in the notation of shapes: two or three threads of a few
 * accesses, with all orders, fences, dependencies, branches and RMWs.
 */
#ifndef STATED_RANDOM_SHAPES_H
#define STATED_RANDOM_SHAPES_H

#include <stdint.h>

#include "shapes.h"

/* `count` of them, of the numbers from `first` on; conditions name all that is
 * observed. */
void random_shapes(uint64_t first, size_t count, struct arena *a,
                   struct shapes *out);

#endif
