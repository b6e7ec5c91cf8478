/* SPDX-License-Identifier: MIT
 *
 * Dependencies, value by value: beside each value of the program that may
 * depend on a load goes a label, a number of the runtime's that says on which
 * (event/program.h).  docs/decisions/19-dependencies.md has the rules.
 *
 * Labels are put after the loops have their ticks and before accesses become
 * hooks, but only for what was there before the ticks: labels are no values of
 * the program, so no loop carries them, and ticks are no branches of it.
 */
#ifndef INSTRUMENT_LABELS_H
#define INSTRUMENT_LABELS_H

#include "instrument/pass.h"

struct labels;

struct labels *labels_new(struct pass *p, const struct item *items,
                          size_t count);
/* Notes what a function has, before the ticks. */
void labels_look_at(struct labels *s, LLVMValueRef function);
/* Labels for all of them. */
void labels_put(struct labels *s);
/* Arguments and results, right where they are handed over; frees s. */
void labels_finish(struct labels *s);

/* What the optimiser may believe of the verbs. */
void labels_promise(struct pass *p);
/* Their bodies, as fast_write_bodies does. */
void labels_write_bodies(struct pass *p);

#endif
