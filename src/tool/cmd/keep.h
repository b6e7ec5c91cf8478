/* SPDX-License-Identifier: MIT
 *
 * Findings as files in the folder of a run.
 */
#ifndef CMD_KEEP_H
#define CMD_KEEP_H

#include "cmd/options.h"
#include "cmd/target.h"
#include "finding/shown.h"

/* Writes the finding, its trace and, if it was built now, its program.  The
 * same finding keeps its number.  Sets its command for a replay. */
bool keep_shown(const struct options *o, const struct target *t,
                struct shown *s, struct arena *a, struct err *e);

/* One that is told before the work is done, under another name: what is told in
 * the end may be another execution.  Then those are dropped. */
bool keep_found(const struct options *o, const struct target *t,
                struct shown *s, int number, struct arena *a, struct err *e);
void drop_found(const struct options *o, struct arena *a);

/* A result that cannot be written is better known before the work.  NULL and
 * "-" are fine. */
bool keep_can_write(const char *path, struct arena *a, struct err *e);

#endif
