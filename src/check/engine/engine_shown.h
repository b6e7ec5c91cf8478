/* SPDX-License-Identifier: MIT
 *
 * The cycle of an execution that a solution describes: see shown_cycle.c.
 */
#ifndef ENGINE_ENGINE_SHOWN_H
#define ENGINE_ENGINE_SHOWN_H

#include "finding/shown.h"

/* Finds it, and fences that would have prevented it.  The events of the trace
 * come as they take effect; `index` says what a thread's program order is. */
void check_explain(struct shown *s);

#endif
