/* SPDX-License-Identifier: MIT
 *
 * Happens-before of an SC trace by vector clocks: program order and what
 * synchronises.  A thread's clock has, for each thread, the number + 1 of the
 * last of its events that is before now.
 */
#ifndef PREDICT_HAPPENS_H
#define PREDICT_HAPPENS_H

#include "predict/predict_access.h"

struct happens;

/* Lives in the arena. */
struct happens *happens_new(const struct trace *t, const struct accesses *all,
                            struct arena *a);

/* Event number `i` happens; to be called for all, in order. */
void happens_step(struct happens *h, uint32_t i);

/* Is event i of that other thread before what `thread` does now?  Asked
 * before happens_step, so that an atomic access is not ordered by itself. */
bool happens_before(const struct happens *h, uint32_t i, uint16_t other,
                    uint16_t thread);

#endif
