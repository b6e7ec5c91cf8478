/* SPDX-License-Identifier: MIT
 *
 * What the files of the witness share: a monitor's report, the SC execution it
 * was found in, and the order of a relaxed execution that shows it.
 *
 * The report says that operation e of thread p could be placed before the
 * write w, which happens-before what p did last.  With D for all that
 * happens-before that, D and e are an execution of the model that is not SC
 * (docs/monitors.md, sections 2 and 4).
 */
#ifndef VERIFY_VERIFY_WITNESS_H
#define VERIFY_VERIFY_WITNESS_H

#include "event/happening.h"
#include "verify/verify.h"

#define WITNESS_NOWHERE UINT32_MAX

struct witness {
    const struct model *model;
    uint32_t flags; /* enum channel_flag */
    const struct channel_report *report;
    struct arena *arena;

    /* What happened on SC. */
    const struct happening *log;
    uint32_t count, threads;
    /* Bytes of memory have numbers; those of happening i are bytes[first[i]]
     * up to, not including, bytes[first[i + 1]]. */
    uint32_t *first, *bytes, byte_count;
    uint32_t *next; /* what its thread did next, fences included */

    /* The report, as numbers of happenings. */
    uint32_t e;   /* NOWHERE: it did not happen on SC */
    uint32_t end; /* what comes before it: e, or all of them */
    uint32_t write;
    uint32_t last; /* what p did before e */

    bool *past;  /* those in D */
    bool *after; /* of these, what the model has after the write */

    /* D and e, as they take effect. */
    uint32_t *place; /* per happening of D: its step */
    uint32_t e_place;
    struct witness_step *steps;
    uint32_t step_count;
};

/* How the model treats what happened. */
struct witness_role {
    bool reads, writes;
    bool orders;   /* as an RMW: done when its turn comes, and in order */
    bool buffered; /* its write waits */
    uint8_t before, after; /* enum model_fence */
};
struct witness_role witness_role(const struct witness *w,
                                 const struct happening *h);

/* Is it one that the steps of a witness mention: all but fences? */
bool witness_is_step(const struct happening *h);

/* The first and the last of the atomic block that i is in, or i itself. */
uint32_t witness_block_start(const struct witness *w, uint32_t i);
uint32_t witness_block_end(const struct witness *w, uint32_t i);

/* A list of so many numbers, all of them the largest there is. */
void *witness_far_away(const struct witness *w, size_t count, size_t size);

/* ---- witness_past.c ---- */

/* Finds e and the write, D, and what is after the write.  False: the report is
 * not about that execution. */
bool witness_look_back(struct witness *w);

/* ---- witness_steps.c ---- */

/* Fills steps and places.  `decisions` are those of the SC execution, for the
 * choices in it. */
void witness_make_steps(struct witness *w, const uint32_t *decisions,
                        size_t count);

/* ---- witness_cycle.c ---- */

/* Happenings in cyclic order; WITNESS_E is e. */
struct witness_cycle {
    uint32_t length;
    uint32_t nodes[GOAL_NODES_MAX];
    uint8_t pairs[GOAL_NODES_MAX]; /* enum goal_pair */
};
#define WITNESS_E UINT32_MAX

/* The shortest one through e and the write.  False: it is too long. */
bool witness_find_cycle(const struct witness *w, struct witness_cycle *c);

/* ---- witness_trace.c ---- */

/* The cycle in the trace of an execution that made the steps, with the fences
 * that it lacks.  False: that execution does not have it. */
bool witness_check_cycle(const struct witness *w,
                         const struct witness_cycle *found, struct shown *s);

#endif
