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

/* --color and --no-color. */
enum report_color tell_color(const struct options *o);

/* Can what is asked for be written?  Better known before the work. */
bool tell_can(const struct options *o, struct arena *a, struct err *e);

/* Does something else than the report take stdout? */
bool tell_is_elsewhere(const struct options *o);

/* For GitHub: makes sure that no line of the text is a command; adds Markdown
 * to the summary of the step, if there is one. */
void tell_enclose(struct buf *text);
bool tell_summary(const struct buf *text, struct err *e);

/* To that file; "-" is stdout. */
bool tell_bytes(const char *path, const struct buf *bytes, struct err *e);
bool tell_json(const char *path, const struct buf *json, struct err *e);

/* The report to stdout, and to the files that are asked for. */
bool tell_report(const struct report *r, const struct options *o,
                 struct err *e);

#endif
