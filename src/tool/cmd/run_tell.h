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

/* "fencer replay PATH", as a shell wants it. */
const char *tell_replay_command(const char *path, struct arena *a);

#endif
