/* SPDX-License-Identifier: MIT
 *
 * A finding as it is kept: all that is needed to have the same execution
 * again, in a JSON file, with its trace in a file beside it.
 */
#ifndef FINDING_FINDING_H
#define FINDING_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "predict/predict.h"
#include "trace/trace.h"
#include "worker/worker.h"

struct finding {
    const char *program; /* as the user named it */
    const char *binary;  /* the program to start: absolute, or relative to the
                            finding's own folder */
    uint64_t binary_size, binary_hash;
    char **arguments; /* ends with NULL */
    size_t argument_count;
    const char *model, *strategy;
    uint32_t flags; /* enum channel_flag: those that change what it does */
    uint32_t depth;
    uint64_t seed, run, buffer, max_events;
    struct channel_failure failure;
    uint32_t *decisions;
    size_t decision_count;
    const char *output;
    uint64_t output_lost;
    const char *trace; /* file, relative to the finding's own folder */

    /* What fencer test knows beyond that; without it `class` is "". */
    const char *class; /* "harmful", "benign", "sc" */
    const char *error; /* what is wrong, if not the failure; else "" */
    struct finding_cycle {
        uint32_t length;                 /* 0: none */
        uint32_t events[GOAL_NODES_MAX]; /* of the trace */
        uint8_t pairs[GOAL_NODES_MAX];   /* enum goal_pair */
        uint32_t reordered; /* bit i: the pair of nodes i and i + 1 was */
    } cycle;
    uint32_t cycles; /* that have the same cause */
    struct channel_fence fences[CHANNEL_FENCES_MAX]; /* that would cure it */
    size_t fence_count;
    bool cured;  /* the search with them failed */
    bool proved; /* with them no execution of the model fails */
};

/* The flags of a channel that belong to a finding. */
#define FINDING_FLAGS                                                          \
    (CHANNEL_LOCKS_PAPER | CHANNEL_CAS_BUFFERABLE | CHANNEL_DEPS |             \
     CHANNEL_BY_PROCESS)

void finding_encode(const struct finding *f, struct buf *out);
bool finding_decode(const char *text, size_t n, struct arena *a,
                    struct finding *f, struct err *e);
bool finding_read(const char *path, struct arena *a, struct finding *f,
                  struct err *e);

/* A file that is beside the finding, or where an absolute path says. */
const char *finding_beside(const char *finding, const char *file,
                           struct arena *a);

/* Is it the same failure?  Same kind, place and words. */
bool finding_same_failure(const struct channel_failure *x,
                          const struct channel_failure *y);

/* How a replay ended. */
struct replayed {
    bool failed;
    bool misfit; /* the program could not follow the decisions */
    struct channel_failure failure;
    struct trace trace;
    bool traced; /* the trace is there and sound */
    struct err trace_error;
    uint32_t *decisions;
    size_t decision_count;
    const char *output;
    uint64_t output_lost;
};

/* Did the replay do what the finding says: the same failure, or none where it
 * has none, with every decision followed? */
bool finding_came_again(const struct finding *f, const struct replayed *r);

/* Do the numbers in it lead somewhere in that trace? */
bool finding_check(const struct finding *f, const struct trace *t,
                   struct err *e);

/* Runs one execution in a fresh process with everything written down.  With
 * `f->decisions` it follows them, else the strategy, seed and run number. */
bool finding_execute(const struct finding *f, const char *binary,
                     bool by_decisions, uint64_t until_ms,
                     const struct program *p, struct arena *a,
                     struct replayed *r, struct err *e);

/* What a worker's last execution left, with RECORD and a trace. */
void finding_results(const struct worker *w, const struct finding *f,
                     const struct program *p, struct arena *a,
                     struct replayed *r);

/* An execution of a job by its number: all but its decisions and its end. */
void finding_of_job(const struct job *j, uint64_t run, const struct program *p,
                    struct finding *f);

/* The decisions of a worker's last execution, with RECORD. */
void finding_take_decisions(const struct worker *w, struct arena *a,
                            uint32_t **decisions, size_t *count);

/* Two failures that are one and the same to a user: of one kind at one place,
 * or of threads that wait for ever, whichever they are. */
bool finding_same_sort(const struct channel_failure *x,
                       const struct channel_failure *y);

/* ---- The cycle of a finding (finding_cycle.c) ---- */

void finding_set_cycle(struct finding *f, const struct cycle *c,
                       const struct cycle_witness *w);

/* Adds the weakest fence behind the first access of each pair that was
 * reordered in that trace.  False: all are there already. */
bool finding_add_fences(const struct trace *t, const struct cycle *c,
                        const struct cycle_witness *w,
                        struct channel_fence *fences, size_t *count);

/* Of the cycles in a trace that is not SC the one that is the easiest to read,
 * with its fences.  False: it has none. */
bool finding_explain(struct finding *f, const struct trace *t,
                     unsigned max_length);

/* The job of that execution. */
void finding_job(const struct finding *f, const char *binary, bool by_decisions,
                 struct job *j);

#endif
