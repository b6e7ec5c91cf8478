/* SPDX-License-Identifier: MIT
 *
 * What GitHub shows of a step: annotations at lines of the source, and Markdown
 * in its summary.
 */
#ifndef REPORT_GITHUB_H
#define REPORT_GITHUB_H

#include "base/buf.h"
#include "base/json.h"

/* A line for each result of a SARIF log that is not suppressed. */
void github_annotate(const json_t *sarif, struct buf *out);

/* "::warning title=T::text" */
void github_line(const char *level, const char *title, const char *text,
                 struct buf *out);

/* The same at a line of a file. */
void github_at(const char *level, const char *file, size_t line,
               const char *title, const char *text, struct buf *out);

/* Text between Markdown: none of it has a meaning there, and it is one line. */
void markdown_text(const char *text, struct buf *out);

/* A block of text as it is. */
void markdown_block(const char *language, const char *text, struct buf *out);

#endif
