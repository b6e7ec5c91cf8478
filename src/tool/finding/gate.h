/* SPDX-License-Identifier: MIT
 *
 * The gate: only what passes it is reported.  "Only what replays is reported"
 * has its address here; nothing else may set `past_gate` of a struct shown, and
 * the report refuses to tell one without it.
 *
 * An execution passes when it comes again in a fresh process, from its
 * decisions, every one of which is followed, and with the same failure.  One
 * that does not fail has nothing to tell it by but what it observed and
 * printed: these have to be the same.  The cycle it is shown for has to be in
 * its trace.
 */
#ifndef FINDING_GATE_H
#define FINDING_GATE_H

#include "finding/shown.h"

struct gate {
    const char *binary; /* the program to start */
    const struct program *tables;
    uint64_t until_ms;   /* 0: no limit */
    struct arena *arena; /* what the execution leaves goes there */

    /* Of the last one that was asked for. */
    bool ran;           /* the fresh process came to an end */
    bool unsteady;      /* it did something else.  A failure that does not come
                           again says no more than that: somebody may have killed
                           the first process */
    const char *source; /* of replayed */
    struct err trace_error; /* why it passed without a trace; "": it has one */
};

/* Lets it pass: true, and its trace, output and cycle are those of the fresh
 * process.  False: e says why not. */
bool gate_replay(struct gate *g, struct shown *s, struct err *e);

/* The same for an execution that is known by strategy, seed and number: what it
 * decides is written down first. */
bool gate_replay_seed(struct gate *g, struct shown *s, struct err *e);

/* A solution that src/check/axioms has accepted, or verify/c11_axioms.c: no
 * machine does it, and there is nothing to replay. */
void gate_accept_solution(struct shown *s);

/* One that passed before it was written to that file, with its trace. */
bool gate_read(const char *path, struct arena *a, struct shown *s,
               struct err *e);

/* ---- What can be replayed ---- */

/* Is there a program to start, and is it the one that the finding was made
 * with?  `path` is the finding's file; *binary and *tables (if it is not NULL)
 * are the program.  Nothing of it is read before its hash is known to be right.
 * False: e says why it cannot be replayed. */
bool gate_open(const char *path, const struct shown *s, struct arena *a,
               const char **binary, struct program *tables, struct err *e);

/* "fencer replay PATH", as a shell wants it; NULL: it cannot be replayed. */
const char *gate_command(const char *path, const struct shown *s,
                         struct arena *a);

#endif
