/* SPDX-License-Identifier: MIT
 *
 * What `directed` remembers of earlier executions of a search: beginnings that
 * led to the n-th step of a plan.  An execution is the list of its decisions,
 * so one that begins with the same ones comes to the same point, and can try
 * from there.  Steps that are each unlikely then come one after the other, and
 * need not all come in one execution.
 *
 * The memory is the process's; a new search, or a program that needs a process
 * for each execution, begins with none.
 */
#ifndef SCHEDULE_PREFIX_H
#define SCHEDULE_PREFIX_H

#include "schedule/plan.h"

/* A new execution.  Another seed, or a run that was before, begins with no
 * memory. */
void prefix_begin(uint64_t seed, uint64_t run);

/* That decision, or choice, was taken. */
void prefix_note(uint32_t decision);

/* The plan has made a step: what was decided so far led there. */
void prefix_keep(const struct plan *p, uint64_t *rng);

/* This execution is to begin like one of those that came far with the plan's
 * pair.  False: there is none. */
bool prefix_choose(const struct plan *p, uint64_t *rng);

bool prefix_is_followed(void);

/* The next decision, of that kind for choices, while it lasts.  When it is at
 * its end the plan is as it was then. */
bool prefix_next(uint32_t *decision, struct plan *p);
bool prefix_next_choice(enum decision_kind kind, uint32_t *choice);

#endif
