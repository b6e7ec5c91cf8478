/* SPDX-License-Identifier: MIT
 *
 * The steps of an execution: which of them matter, and each in words.
 */
#ifndef REPORT_STEPS_H
#define REPORT_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "trace/trace.h"

/* The most rows an interleaving has unless --full is asked for. */
#define STEPS_SHOWN_MAX 60

/* Marks in `keep` (one per event) the steps worth showing; returns how many:
 * those on memory that several threads touch, synchronisation, the failure.
 * Of very many the last, and the stores they read from. */
size_t steps_choose(const struct trace *t, bool *keep);

/* Did the store of event i reach memory in the very next step?  Then nobody
 * could see that it was buffered, and its commit is no step of its own. */
bool steps_is_prompt(const struct trace *t, size_t i);

/* What the step did: "y is 0, initial value", "x = 1, buffered (1 waiting)". */
void steps_effect(const struct trace *t, size_t i, struct buf *out);

/* Where the value that step i read came from: "from T1's store at line 7". */
void steps_source(const struct trace *t, size_t i, struct buf *out);

/* The site's file without its folders. */
const char *steps_file(const struct fencer_site *site);

/* The trimmed line of the source it is on, or NULL.  Files are read once. */
struct sources;
struct sources *sources_new(void);
const char *sources_line(struct sources *s, const struct fencer_site *site);
/* The line on which the statement at that site ends, or the condition before a
 * block: a fence goes after it. */
unsigned sources_statement_end(struct sources *s,
                               const struct fencer_site *site);
void sources_free(struct sources *s);

#endif
