/* SPDX-License-Identifier: MIT
 *
 * Every execution of a program on a model: see every.c.
 */
#ifndef FINDING_EVERY_H
#define FINDING_EVERY_H

#include "base/arena.h"
#include "base/buf.h"
#include "model/model.h"
#include "worker/worker.h"

enum every_wish {
    EVERY_COUNT, /* how many there are, and what they observe */
    EVERY_LIST,  /* and each to be run, those with rounds in vain, too */
    EVERY_TOLD,  /* and each that SC does not have as a trace, on a model
                    without a machine */
    EVERY_FAILED /* one that fails, to be run */
};

struct every {
    const struct model *model;
    enum every_wish wish;
    uint64_t count;      /* graphs */
    const char *why_not; /* NULL: there are no others */
    /* Executions to be run, as steps: of EVERY_LIST at least one of each graph;
     * how many that are, and how many of these fail. */
    struct buf steps;
    uint64_t list_count, failed;
    /* Every.c's own. */
    struct job base;
    bool step_by_step; /* no graphs: as schedules */
    struct channel_graph orders;
    struct channel_explore explore;
};

/* Does such a job mean something to the machine of that model alone? */
bool every_is_of_machines(const struct job *base, const struct model *m);

/* All executions of that program, with these arguments and limits, on that
 * model.  Loops are cut after so many rounds; 0: they are not. */
void every_begin(struct every *v, const struct job *base, const struct model *m,
                 enum every_wish wish, uint32_t unroll);
void every_free(struct every *v);

/* The search for at most so many, as a job.  It lends what is in `v`. */
struct job every_job(const struct every *v, uint64_t most);
/* That job has ended.  Texts are in `a`.  True: it is to be done once more, by
 * another job; nothing of this one counts. */
bool every_take(struct every *v, const struct worker *w, struct arena *a);

/* The machine takes the steps of lists [first, first + count), as a job;
 * then: did it do what they say? */
struct job every_run(const struct every *v, uint64_t first, uint64_t count);
bool every_was_run(const struct every *v, const struct worker *w);

#endif
