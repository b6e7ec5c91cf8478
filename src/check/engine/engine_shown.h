/* SPDX-License-Identifier: MIT
 *
 * The cycle of an execution that a solution describes: see shown_cycle.c.
 */
#ifndef ENGINE_ENGINE_SHOWN_H
#define ENGINE_ENGINE_SHOWN_H

#include "finding/finding.h"

/* Finds it, and fences that would have prevented it.  The events of the trace
 * come as they take effect; `index` says what a thread's program order is. */
void shown_explain(const struct trace *t, struct finding *f);

#endif
