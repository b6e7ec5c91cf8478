/* SPDX-License-Identifier: MIT
 *
 * What flows where in a thread, seen without running it.
 */
#ifndef LITMUS_TAINT_H
#define LITMUS_TAINT_H

#include "litmus/program.h"

/* May a CAS of one instruction compare with what was loaded, and its result be
 * used?  On ARM that result is what was read, or still what it was compared
 * with, and depends on the one or on the other. */
bool taint_mixes_cas(const struct thread *p);

/* Has it an RMW of one instruction, or a store exclusive? */
bool taint_has_rmw(const struct thread *p);
bool taint_has_pair(const struct thread *p);

/* May what was selected be stored, something loaded, and then come an isb? */
bool taint_selects_through_memory(const struct thread *p);

#endif
