/* SPDX-License-Identifier: MIT
 *
 * What one thread may do, whatever the others do: all its ways through its
 * code, with every value guessed that a load might return.  The axioms then
 * ask which ways of all threads fit together.
 */
#ifndef ORACLE_PATHS_H
#define ORACLE_PATHS_H

#include "domains.h"

enum { MAX_STEPS = 32 };

enum step_kind { STEP_ACCESS, STEP_SPAWN, STEP_JOIN };

struct step {
    uint8_t kind; /* enum step_kind */
    uint8_t atom;
    uint8_t target; /* STEP_SPAWN, STEP_JOIN: thread */
    uint8_t block;  /* those of one atomic block have the same, from 1 on */
    uint8_t fences; /* all between the step before this one and this one */
    bool loads, writes;
    bool rmw;         /* of an RMW, a lock or semaphore, failing or not, or in
                         an atomic block */
    bool atomic;      /* C11's, or of a lock or semaphore */
    bool ghost;       /* in a block, and uses a register */
    uint32_t depends; /* steps of this path that load what it is computed from:
                         its value, its address, or that it is there at all */
    uint64_t read, written;
};

struct path {
    size_t count;
    struct step steps[MAX_STEPS];
    uint32_t before[MAX_STEPS]; /* steps kept before it: see kept.h */
    uint32_t regs_set;
    uint64_t regs[MAX_REGS];
    uint8_t spawned; /* threads */
    /* By atom and value, as struct domains numbers them: how often it is
     * written, loaded, and loaded by an RMW that writes another. */
    uint8_t gives[MAX_HELD], loads[MAX_HELD], takes[MAX_HELD];
};

struct paths {
    size_t count, room;
    struct path *list;
};

struct guesses {
    struct domains domains;
    struct paths paths[MAX_THREADS];
};

/* False, and nothing to free, if a path cannot tell of such a program: accesses
 * that overlap without being equal, a register of two threads, more than
 * MAX_STEPS steps of a thread, `max_paths` paths of one or MAX_HELD values. */
bool guesses_find(struct guesses *g, const struct lowered *l, size_t max_paths);
void guesses_free(struct guesses *g);

#endif
