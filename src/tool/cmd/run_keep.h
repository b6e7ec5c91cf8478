/* SPDX-License-Identifier: MIT
 *
 * Findings as files in the folder of a run.
 */
#ifndef CMD_RUN_KEEP_H
#define CMD_RUN_KEEP_H

#include "cmd/options.h"
#include "cmd/run_target.h"
#include "finding/finding.h"
#include "report/report.h"

/* Writes the finding, its trace and, if it was built now, its program; target
 * NULL: no program shows it.  The same finding keeps its number.  *path: the
 * finding's file. */
bool keep_finding(const struct options *o, const struct target *t,
                  struct finding *f, const struct trace *trace, struct arena *a,
                  const char **path, struct err *e);

/* The same, and how it is told: the finding of that number. */
bool keep_and_tell(const struct options *o, const struct target *t,
                   struct finding *f, const struct trace *trace, size_t number,
                   struct arena *a, struct report_finding *out, struct err *e);

/* All that the answers depend on: the program, its arguments, the options that
 * commands share, and what `fmt` adds.  A run is gone on with only if it has
 * the same key. */
const char *keep_key(const struct options *o, const struct target *t,
                     uint32_t flags, struct arena *a, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* A result that cannot be written is better known before the work.  NULL and
 * "-" are fine. */
bool keep_can_write(const char *path, struct arena *a, struct err *e);

#endif
