/* SPDX-License-Identifier: MIT
 *
 * Values and memory that decide about delays and nothing else: see delays.c.
 */
#ifndef INSTRUMENT_DELAYS_H
#define INSTRUMENT_DELAYS_H

#include "instrument/flow.h"
#include "instrument/pass.h"

/* Is the value of that phi, in the header of the loop with the blocks `in`, of
 * no use but for delays within the loop? */
bool delays_is_only(struct pass *p, const struct flow *f, const bool *in,
                    LLVMValueRef phi);

/* The same for one that besides decides how often the loop goes round, and is
 * of no use after it. */
bool delays_is_bound(struct pass *p, const struct flow *f, const bool *in,
                     LLVMValueRef phi);

/* The same for the class of private memory that `pointer` designates. */
bool delays_is_only_memory(struct pass *p, LLVMValueRef pointer);

/* Does it nothing but pause or yield?  A function may, that does no more either
 * (depth: of calls). */
bool delays_is_pause(struct pass *p, LLVMValueRef inst, int depth);

#endif
