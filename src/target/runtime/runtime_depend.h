/* SPDX-License-Identifier: MIT
 *
 * The moments that dependent loads may not go before: see runtime_depend.c.
 */
#ifndef RUNTIME_RUNTIME_DEPEND_H
#define RUNTIME_RUNTIME_DEPEND_H

#include "runtime/rt.h"

void depend_map(void);
void depend_forget(void);

/* The load or RMW at that site returned what memory held since that moment. */
void depend_note(struct thread *t, uint32_t site, uint64_t moment);
/* It returned a store of its own thread, which may hold any earlier value. */
void depend_note_own(struct thread *t, uint32_t site);

/* The latest moment among the loads that the address of the load at that site
 * depends on; 0: none. */
uint64_t depend_moment(const struct thread *t, uint32_t site);

#endif
