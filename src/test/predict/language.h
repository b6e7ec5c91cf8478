/* SPDX-License-Identifier: MIT
 *
 * What C11 keeps in order within a thread, pair by pair.
 */
#ifndef PREDICT_LANGUAGE_H
#define PREDICT_LANGUAGE_H

#include "trace/trace.h"

/* A fence seq_cst, or fencer_fence_full. */
bool language_is_full_fence(const struct event *e);

/* Two events of a thread: both seq_cst, or a full fence between them.  Then no
 * cycle has them the other way round. */
bool language_keeps_apart(const struct trace *t, size_t a, size_t b);

/* What no compiler and no machine may turn round: that, or an acquire or
 * release that belongs to it.  It still may be part of a cycle. */
bool language_keeps(const struct trace *t, size_t a, size_t b);

#endif
