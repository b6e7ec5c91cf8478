/* SPDX-License-Identifier: MIT
 *
 * What every command prints in the same way.
 */
#ifndef CMD_TELL_H
#define CMD_TELL_H

#include "base/arena.h"
#include "base/err.h"
#include "cmd/options.h"
#include "finding/finding.h"
#include "report/report.h"

/* To stdout. */
bool tell_text(const struct buf *text, struct err *e);

/* Can what is asked for be written?  Better known before the work. */
bool tell_can(const struct options *o, struct arena *a, struct err *e);

/* Does something else than the report take stdout? */
bool tell_is_elsewhere(const struct options *o);

/* The report to stdout, as JSON and as a page where that is asked for. */
bool tell_report(const struct report *r, const struct options *o,
                 struct err *e);

#endif
