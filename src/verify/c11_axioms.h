/* SPDX-License-Identifier: MIT
 *
 * C11's axioms on a trace, as docs/models.md has them: relations between
 * events, and what must not be a cycle.  The search over graphs
 * (src/target/graph) keeps happens-before event by event; nothing of it is
 * here.  What this finds to be no execution is not told.
 */
#ifndef VERIFY_C11_AXIOMS_H
#define VERIFY_C11_AXIOMS_H

#include "base/buf.h"
#include "base/err.h"
#include "finding/shown.h"
#include "trace/trace.h"

/* Is it an execution of C11?  Each event has its order in its flags, what it
 * reads in `from`, and its place among the writes of its memory in `co`.
 * False: e says which axiom it breaks. */
bool c11_holds(const struct trace *t, struct err *e);

/* Do these two events of an execution race? */
bool c11_races(const struct trace *t, size_t x, size_t y);

/* Do any two? */
bool c11_is_racy(const struct trace *t);

/* What is missing between two that do (c11_missing.c): "flag at race.c:12 is
 * loaded relaxed: acquire would order it". */
void c11_missing(const struct trace *t, size_t x, size_t y, struct buf *out);

/* A shortest cycle of program order, reads-from, coherence and from-reads,
 * which no execution of SC has; pairs that C11 does not keep in order are the
 * reordered ones.  False: there is none, or none that can be shown. */
bool c11_cycle(const struct trace *t, struct shown_cycle *c);

#endif
