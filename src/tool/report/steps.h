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
#include "finding/shown.h"
#include "trace/trace.h"

/* The most rows an interleaving has unless --full is asked for. */
#define STEPS_SHOWN_MAX 60

/* Marks in `keep` (one per event) the steps worth showing; returns how many:
 * those on memory that several threads touch, synchronisation, the failure.
 * Of very many the last, and the stores they read from.  Nothing before the
 * cycle, if there is one, but how threads began. */
size_t steps_choose(const struct trace *t, const struct shown_cycle *cycle,
                    bool *keep);

/* The function that the thread began with, or the first that it did something
 * in. */
const char *steps_thread(const struct trace *t, unsigned thread);

/* What a table that is too long does without: the largest first. */
enum step_rank {
    STEP_NEEDED, /* of the cycle, or the end: stays */
    STEP_SOURCE, /* these have their values from it */
    STEP_OTHER,
    STEP_READ,
    STEP_COMMIT,
    STEP_FRAME /* threads begin and end; a fence that does nothing here */
};
void steps_rank(const struct trace *t, const uint32_t *cycle, uint32_t length,
                uint8_t *rank);

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
/* The whole file as it is, or NULL. */
const char *sources_text(struct sources *s, const struct fencer_site *site);
/* The line on which the statement at that site ends, or the condition before a
 * block: a fence goes after it. */
unsigned sources_statement_end(struct sources *s,
                               const struct fencer_site *site);
/* Is the access part of a condition, so that what comes after it has two
 * places? */
bool sources_in_condition(struct sources *s, const struct fencer_site *site);
void sources_free(struct sources *s);

#endif
