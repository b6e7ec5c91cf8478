/* SPDX-License-Identifier: MIT
 *
 * A counterexample that the solver found, brought about on the runtime: the
 * execution of the program in which its accesses take effect in the given
 * order, then the same once more, from its decisions.
 */
#ifndef ENGINE_ENGINE_REPLAY_H
#define ENGINE_ENGINE_REPLAY_H

#include "finding/shown.h"
#include "flat/flat.h"

struct check_execution {
    const struct flat *flat;
    const struct flat_run *run;
    const struct model *model;
    const uint32_t *race;           /* two events that do, or NULL */
    const struct flat_error *error; /* what fails, or NULL: the observation is
                                       none that a serial execution has */
    /* The program, built from the same sources (instrument_build), with the
     * test's notation as its argument; not used for models without machine. */
    struct job base;
    const struct program *tables;
    uint64_t until_ms; /* 0: no limit */
};

enum check_replayed {
    CHECK_REPLAYED, /* as the solver says */
    CHECK_EXPLORED, /* not so, but exploring found the same failure */
    CHECK_NOT_REPLAYED
};

/* *why_not: of CHECK_EXPLORED and CHECK_NOT_REPLAYED, for the log.  False: the
 * machine failed us. */
bool check_replay(const struct check_execution *x, struct arena *a,
                  enum check_replayed *how, struct shown *out,
                  const char **why_not, struct err *e);

/* The observation of that run as the runtime writes it: "e=1 | d=0". */
const char *check_observation(const struct flat *f, const struct flat_run *run,
                              struct arena *a);

/* ---- engine_shown.c ---- */

/* The same as a trace and a finding without decisions, made from the solution
 * alone: for models without a machine. */
void check_show(const struct check_execution *x, struct arena *a,
                struct shown *out);

#endif
