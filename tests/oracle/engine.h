/* SPDX-License-Identifier: MIT
 *
 * A compiled program under test, in a process that stays: job after job, each
 * some or all of its executions on a model.  Nothing but engine.c and tool.c
 * knows the code under test.
 */
#ifndef ORACLE_ENGINE_H
#define ORACLE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct engine;

enum engine_way {
    ENGINE_SAMPLE,  /* STRATEGY_POS: some, at random */
    ENGINE_EVERY,   /* STRATEGY_EVERY: all executions */
    ENGINE_EXPLORE, /* STRATEGY_EXPLORE: all of them, each trace once */
    ENGINE_GRAPH    /* STRATEGY_GRAPH: the same, as graphs */
};

struct engine_job {
    const char *model;
    enum engine_way way;
    unsigned long most; /* executions */
    unsigned buffer;    /* these three: as in lower.h */
    bool locks_paper, cas_bufferable;
    bool may_hang; /* deadlock and livelock are results like others */
    /* ENGINE_EXPLORE */
    bool plain;   /* every interleaving */
    bool bounded; /* with at most `bound` preemptions */
    unsigned bound;
    bool monitored;
};

enum { ENGINE_MONITORS = 3 }; /* of TSO, PSO, PSLO */

struct engine_result {
    uint64_t executions; /* no trace twice, if the engine is right */
    uint64_t distinct;   /* ENGINE_EXPLORE: different traces among them */
    uint64_t hung;       /* executions that came to no end */
    bool all;            /* there are no more */
    bool not_sc;         /* ENGINE_GRAPH: one of them is none of SC's */
    bool races;          /* ENGINE_GRAPH: one of them has a data race */
    const char *refused; /* ENGINE_GRAPH: why it does not, or NULL */
    size_t outcomes;
    /* Executions that a monitor reported on, and whether there was something
     * that it could not judge. */
    uint64_t flagged[ENGINE_MONITORS];
    bool doubted[ENGINE_MONITORS];
};

/* Does its work on that file, with that argument unless it is NULL and with
 * that mutation of the runtime unless it is negative. */
struct engine *engine_new(const char *binary, const char *argument, int mutant);
void engine_free(struct engine *e);

/* False: it failed, the reason is in `error`. */
bool engine_run(struct engine *e, const struct engine_job *job,
                struct engine_result *result, char *error, size_t error_size);

/* The i-th of the last job's outcomes, "r0=1 r1=0 ". */
const char *engine_outcome(struct engine *e, size_t i);

#endif
