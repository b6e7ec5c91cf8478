/* SPDX-License-Identifier: MIT
 *
 * What every command prints in the same way.
 */
#ifndef CMD_RUN_TELL_H
#define CMD_RUN_TELL_H

#include "base/arena.h"
#include "base/err.h"
#include "cmd/options.h"
#include "finding/finding.h"
#include "report/report.h"

/* "fencer: TEXT" on stderr; returns `code`. */
int tell_error(const struct err *e, int code);

/* "usage: fencer WHAT" and the command's options; returns 0. */
int tell_help(const char *what, enum option_command command);

/* The report to stdout, and as JSON where that is asked for. */
bool tell_report(const struct report *r, const struct options *o,
                 struct err *e);

/* The class of a failure seen on that model: "sc" where nothing is ever
 * reordered, else "harmful". */
const char *tell_class(const struct model *m);

/* A finding of fencer test, as it is told; `t` is its trace.  What is not in
 * it (id, replay) is the caller's. */
void tell_finding(const struct finding *f, const struct trace *t,
                  struct report_finding *out);

/* The model of that name, also one without a machine; or NULL. */
const struct model *tell_model(const char *name);

/* "fencer replay PATH", as a shell wants it. */
const char *tell_replay_command(const char *path, struct arena *a);

#endif
