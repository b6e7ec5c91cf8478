/* SPDX-License-Identifier: MIT
 *
 * Critical sections of a trace, and which earlier ones of the same lock come
 * before a section because of what both do in it.
 */
#ifndef PREDICT_SECTIONS_H
#define PREDICT_SECTIONS_H

#include "predict/predict_access.h"

struct sections;

/* Lives in the arena. */
struct sections *sections_new(const struct trace *t, const struct accesses *all,
                              struct arena *a);

/* The LOCK that is event number `lock`: joins into `clock` the clocks that
 * earlier sections had at their end, where they contain an access that
 * conflicts with one of the section that begins here. */
void sections_begin(struct sections *s, uint32_t lock, uint32_t *clock);

/* An UNLOCK: the section that it ends had this clock. */
void sections_end(struct sections *s, uint32_t unlock, const uint32_t *clock);

#endif
