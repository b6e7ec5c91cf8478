/* SPDX-License-Identifier: MIT
 *
 * From instructions to places in the source: see place.c.
 */
#ifndef RUNTIME_PLACE_H
#define RUNTIME_PLACE_H

#include "runtime/rt.h"

/* The site of that instruction of the program; 0: not known.  Starts a process:
 * not for handlers of signals. */
uint32_t place_find(uint64_t pc);

#endif
