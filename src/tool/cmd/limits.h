/* SPDX-License-Identifier: MIT
 *
 * What was not covered.  Every run ends by saying it.
 */
#ifndef CMD_LIMITS_H
#define CMD_LIMITS_H

#include "base/lines.h"
#include "cmd/options.h"
#include "cmd/sample.h"
#include "trace/trace.h"

/* What the program itself hides from us; `n` says what it called. */
void limits_of_program(struct lines *l, const struct options *o,
                       const struct program *p, const struct counts *n);

/* A process for each execution, unless it was asked for. */
void limits_of_speed(struct lines *l, const struct options *o,
                     const struct counts *n);

/* Why a run ended before its time, or NULL. */
const char *limits_why_stopped(const struct sample *s, struct arena *a);

/* What a run on one model left out. */
void limits_of_sample(struct lines *l, const struct options *o,
                      const struct model *m, const struct sample *s);

#endif
