/* SPDX-License-Identifier: MIT
 *
 * A depth-first walk over all states of a machine.  A state that was there
 * before is not entered again.
 */
#ifndef ORACLE_WALK_H
#define ORACLE_WALK_H

#include "machine.h"
#include "seen.h"

struct node {
    struct state state;
    struct relations relations; /* all zero unless asked for */
    /* With `bounded`: 1 + the thread that ran last, 0: none; preemptions. */
    uint8_t current, spent;
};

struct walk {
    size_t max_states;   /* gives up there; 0: never */
    bool with_relations; /* of data, and ... */
    bool with_sync;      /* ... of mutexes and semaphores too */
    bool with_stuck;     /* tell of deadlocks too */
    /* On SC: only with at most `bound` preemptions.  A preemption is a switch
     * away from a thread that could go on; what nobody sees of a thread's steps
     * is done at once, its creating and joining threads too. */
    bool bounded;
    unsigned bound;
    /* Every thread has come to its end. */
    void (*ended)(struct walk *w, const struct node *n);
    void *context;
    bool enough; /* set by `ended`: the rest is of no interest */

    struct machine machine;
    size_t states;
    size_t stuck; /* states in which no thread can go on: deadlocks */
    struct seen seen;
};

/* Walks over all of p; the fields up to `context` are the caller's, the rest
 * begins as zero.  With relations, states with different ones are different
 * states. False: it gave up. */
bool walk_all(struct walk *w, const struct program *p, enum model model,
              const struct options *options);

#endif
