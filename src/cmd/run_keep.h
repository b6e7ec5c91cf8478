/* SPDX-License-Identifier: MIT
 *
 * Findings as files in the folder of a run.
 */
#ifndef CMD_RUN_KEEP_H
#define CMD_RUN_KEEP_H

#include "cmd/options.h"
#include "cmd/run_target.h"
#include "finding/finding.h"

/* Writes the finding, its trace and, if it was built now, its program.  The
 * same finding keeps its number.  *path: the finding's file. */
bool keep_finding(const struct options *o, const struct target *t,
                  struct finding *f, const struct trace *trace, struct arena *a,
                  const char **path, struct err *e);

/* A result that cannot be written is better known before the work.  NULL and
 * "-" are fine. */
bool keep_can_write(const char *path, struct arena *a, struct err *e);

#endif
