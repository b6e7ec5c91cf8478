/* SPDX-License-Identifier: MIT
 *
 * The arithmetic of read-modify-writes.
 */
#ifndef GRAPH_RMW_H
#define GRAPH_RMW_H

#include <stdint.h>

#include "event/event.h"

/* Combines `size` bytes of memory with the operand, in place. */
void rmw_apply(enum rmw_op op, unsigned size, uint64_t *memory,
               const uint64_t *operand);

#endif
