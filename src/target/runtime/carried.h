/* SPDX-License-Identifier: MIT
 *
 * What a round of a loop leaves behind in memory that is its thread's own: see
 * carried.c.
 */
#ifndef RUNTIME_CARRIED_H
#define RUNTIME_CARRIED_H

#include "runtime/rt.h"

/* The running thread is about to write memory that is its own. */
void carried_note_write(uint64_t address, uint64_t size);

/* Is all known that the thread wrote since its clock was `mark`? */
bool carried_is_known(const struct thread *t, uint32_t mark);

/* The word at a multiple of 8, as it was when the thread's clock was `mark`:
 * which of its bytes, a bit each, are others now. */
typedef bool carried_visit(void *context, uint64_t word, uint8_t changed);

/* Shows the words that are others now, until one says no.  False: one did. */
bool carried_each_change(const struct thread *t, uint32_t mark,
                         carried_visit *visit, void *context);

/* Is there none? */
bool carried_is_same(const struct thread *t, uint32_t mark);

#endif
