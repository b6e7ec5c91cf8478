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

/* What the program itself hides from us; `hits` are the channel's. */
void limits_of_program(struct lines *l, const struct program *p,
                       const uint64_t hits[8]);

/* A process for each execution, unless it was asked for; `why` may be NULL. */
void limits_of_speed(struct lines *l, const struct options *o, const char *why);

/* Why a run ended before its time, or NULL. */
const char *limits_why_stopped(const struct options *o, const struct sample *s,
                               struct arena *a);

/* What a run on one model left out. */
void limits_of_sample(struct lines *l, const struct options *o,
                      const struct model *m, const struct sample *s);

#endif
