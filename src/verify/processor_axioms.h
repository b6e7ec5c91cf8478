/* SPDX-License-Identifier: MIT
 *
 * The axioms of a processor (model/axioms.h) on a trace: its terms as squares
 * of bits over all events at once, forwards.  The search over graphs
 * (src/target/graph) follows them backwards, event by event; nothing of it is
 * here.  What this finds to be no execution is not told.
 */
#ifndef VERIFY_PROCESSOR_AXIOMS_H
#define VERIFY_PROCESSOR_AXIOMS_H

#include "base/err.h"
#include "finding/shown.h"
#include "model/model.h"
#include "trace/trace.h"

/* Is it an execution of the model with one of its mappings?  Each event has its
 * order in its flags (a CAS the stronger of its two), what it reads in `from`,
 * and its place among the writes of its memory in `co`.  Dependencies are not
 * in a trace: an execution that only they forbid passes.  False: e says which
 * axiom it breaks. */
bool processor_holds(const struct model *m, const struct trace *t,
                     struct err *e);

/* Which pairs of that cycle the model does not keep in order. */
void processor_reordered(const struct model *m, const struct trace *t,
                         struct shown_cycle *c);

#endif
