/* SPDX-License-Identifier: MIT
 *
 * Brute force once more, but what is kept of an execution is its trace: which
 * accesses were made, from which write each read took each of its atoms, and
 * in which order the writes of an atom reached memory.  Executions that differ
 * only in the order of steps that do not touch each other have one trace.
 *
 * Programs have no loops, so that an access is known by its thread and the
 * number of its op.
 */
#ifndef ORACLE_TRACES_H
#define ORACLE_TRACES_H

#include "lower.h"

enum { MAX_ACCESSES = 32, MAX_ACCESS_ATOMS = 8 };

struct access {
    uint8_t thread, op;
    uint8_t first, count; /* atoms */
    bool synchronises;    /* on a mutex or semaphore: no access of cycles.md */
    bool reads, writes;
    /* Numbers in the coherence order of each atom: of its write, and of the
     * write it took the value from; 0 is the initial value. */
    uint8_t place[MAX_ACCESS_ATOMS], source[MAX_ACCESS_ATOMS];
    uint8_t chosen; /* of no atoms: a choice */
};

/* Threads one after the other, each in program order. */
struct trace {
    size_t count;
    struct access accesses[MAX_ACCESSES];
};

struct traces {
    size_t count, room;
    struct trace *list; /* sorted, each once */
    size_t states, stuck;
};

struct traces_wish {
    struct options options;
    bool with_sync;  /* tell accesses to mutexes and semaphores too */
    bool with_stuck; /* tell the traces of deadlocks too */
    bool bounded;    /* SC: with at most `bound` preemptions (walk.h) */
    unsigned bound;
    size_t max_states; /* give up there; 0: never */
};

/* All traces of p, which traces_free frees.  False: given up. */
bool traces_find(struct traces *out, const struct program *p, enum model model,
                 const struct traces_wish *wish);
/* Has p on that model a trace that is none of those?  False: given up. */
bool traces_leave(const struct traces *those, const struct program *p,
                  enum model model, const struct traces_wish *wish,
                  bool *do_they);
void traces_free(struct traces *t);
bool traces_have(const struct traces *t, const struct trace *one);

#endif
