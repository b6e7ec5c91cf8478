/* SPDX-License-Identifier: MIT
 *
 * What replay*.c and shown*.c share.
 */
#ifndef ENGINE_REPLAY_INSIDE_H
#define ENGINE_REPLAY_INSIDE_H

#include "engine/engine_replay.h"

/* Does that guard hold in the run? */
static inline bool check_holds(const struct flat_run *run, uint32_t guard)
{
    return run->values[guard].bits != 0;
}

/* All values of the run: the solver need not have computed them. */
struct flat_run check_whole_run(const struct flat *f,
                                const struct flat_run *run, struct arena *a);

/* The store of an RMW, whose load says all. */
bool replay_is_second_half(const struct flat *f, uint32_t event);

/* The site of the instrumented program that is the same place; 0: not known. */
uint32_t replay_site(const struct check_execution *x, uint32_t site);

/* The run as steps of STRATEGY_WITNESS. */
const struct witness_step *replay_steps(const struct check_execution *x,
                                        struct arena *a, size_t *count);

/* ---- shown_cycle.c ---- */

/* Finds the cycle of an execution that a solution describes, and fences that
 * would have prevented it.  The events of the trace come as they take effect;
 * `index` says what a thread's program order is. */
void check_explain(struct shown *s);

/* What is wrong with it: as the runtime would say it, at a site of `sites`. */
void check_failure(const struct check_execution *x, struct arena *a,
                   struct channel_failure *out);

#endif
