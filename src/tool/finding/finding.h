/* SPDX-License-Identifier: MIT
 *
 * A finding: all that is needed to have the same execution again.  What is
 * known of that execution is in a struct shown (finding/shown.h).
 */
#ifndef FINDING_FINDING_H
#define FINDING_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "model/model.h"
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
    const struct model *model;
    const char *strategy;
    uint32_t flags; /* enum channel_flag: those that change what it does */
    uint32_t depth;
    uint64_t seed, run, buffer, max_events;
    struct channel_failure failure;
    uint32_t *decisions;
    size_t decision_count;
    uint64_t outcome; /* of what it observed and printed; 0: not known */
    const char *output;
    uint64_t output_lost;
    const char *trace; /* file, relative to the finding's own folder */
};

/* The flags of a channel that belong to a finding. */
#define FINDING_FLAGS                                                          \
    (CHANNEL_LOCKS_PAPER | CHANNEL_CAS_BUFFERABLE | CHANNEL_DEPS |             \
     CHANNEL_BY_PROCESS | CHANNEL_NO_SPURIOUS)

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
    uint64_t outcome;
    const char *source; /* of what no replay repeats: "rdtsc at x.c:5", "fopen";
                           or NULL */
    const char *output;
    uint64_t output_lost;
};

/* What the n-th execution in the channel observed and printed: equal numbers,
 * equal doings (64 bits; a mistake would need billions of executions).  Never
 * 0. */
uint64_t finding_outcome(const struct channel *c, size_t n);
/* What it observed alone: nobody knows what is printed in an execution that
 * nobody ran. */
uint64_t finding_observed(const struct channel *c, size_t n);

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

/* The last execution of a worker that ran with RECORD: as a finding, and the
 * job that has it again, traced, from its decisions. */
void finding_again(const struct worker *w, const struct program *p,
                   struct arena *a, struct finding *f, struct job *j);

/* Two failures that are one and the same to a user: of one kind at one place,
 * or of threads that wait for ever, whichever they are. */
bool finding_same_sort(const struct channel_failure *x,
                       const struct channel_failure *y);

/* The job of that execution. */
void finding_job(const struct finding *f, const char *binary, bool by_decisions,
                 struct job *j);

#endif
