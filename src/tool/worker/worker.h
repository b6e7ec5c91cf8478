/* SPDX-License-Identifier: MIT
 *
 * The tested program as a process of ours: started with a channel
 * (event/channel.h), watched, and ended whatever it does.
 */
#ifndef WORKER_WORKER_H
#define WORKER_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/tally.h"
#include "event/channel.h"

/* A program that shows no progress for so long does not end.  Time in which we
 * did not run ourselves does not count: the machine may have slept. */
#define WORKER_PATIENCE_MS 10000

/* What a program is to do. */
struct job {
    const char *program;    /* the file */
    const char *name;       /* its argv[0] */
    char *const *arguments; /* after it; ends with NULL */
    const char *model;
    uint32_t strategy; /* enum channel_strategy */
    uint32_t flags;    /* enum channel_flag */
    uint32_t depth;
    uint64_t seed, first, count, buffer, max_events;
    const uint32_t *schedule; /* STRATEGY_REPLAY */
    size_t schedule_count;
    const struct channel_goal *goal;    /* NULL: none */
    const struct channel_fence *fences; /* virtual ones */
    size_t fence_count;
    /* STRATEGY_EXPLORE: its orders, with our descriptor of the tree; or NULL.
     * A worker keeps the tree that it was started with. */
    const struct channel_explore *explore;
    /* STRATEGY_GRAPH: its orders, or NULL; how far it is, which has as many
     * bytes as the orders say. */
    const struct channel_graph *graph;
    const void *state;
    const struct witness_step *witness; /* STRATEGY_WITNESS */
    size_t witness_count;
    const struct spec_text *allowed; /* observations of a test, or NULL */
    size_t allowed_count;
    const char *forbidden; /* one that is a failure, or NULL */
    uint64_t patience_ms;  /* 0: WORKER_PATIENCE_MS */
    bool stay;             /* worker_again will have another job */
};

enum worker_end {
    WORKER_RUNS,
    WORKER_DONE,   /* did what it was asked for, or stopped at a failure */
    WORKER_BAD,    /* says that it cannot be run, or did not get to main */
    WORKER_DIED,   /* was killed, or left, in the middle of an execution */
    WORKER_HUNG,   /* made no progress; killed by us */
    WORKER_STOPPED /* killed by us for another reason */
};

struct worker {
    struct job job;
    enum worker_end end;
    struct channel *channel; /* the mapping's start; lent until worker_free.
                                Once the job has ended its numbers are
                                bounded, and its texts end. */
    pid_t pid;
    int pidfd, memory, output;
    int done;           /* eventfd of a worker that stays, or -1 */
    int status;         /* of waitpid, once it ended */
    bool gone;          /* the process is */
    uint64_t seen[3];   /* progress at the last look */
    uint64_t looked_at; /* ms */
    uint64_t idle_ms;   /* without progress */
    uint64_t worked_ms; /* of the processor, before this job */
    uint64_t ended_ms;  /* and until the process ended */
};

/* Starts the program.  False: e says why, and nothing is left behind. */
bool worker_start(struct worker *w, const struct job *j, struct err *e);

/* Another job for the same program, whose last one is done.  False: that worker
 * is not there any more, or did not stay; start a new one. */
bool worker_again(struct worker *w, const struct job *j);

/* Waits until some worker that still runs has ended, or the time has come (0:
 * never), or the user interrupts.  False: none has ended. */
bool worker_wait(struct worker *const *workers, size_t n, uint64_t until_ms);

/* One job from start to end, or until the time has come (0: never) or the user
 * interrupts: then it was stopped.  Then worker_free. */
bool worker_run(struct worker *w, const struct job *j, uint64_t until_ms,
                struct err *e);

/* Asks it to end its job after the execution under way. */
void worker_pause(struct worker *w);

/* Ends it now, with all it started. */
void worker_stop(struct worker *w);

/* Gives the channel back.  The process must have ended. */
void worker_free(struct worker *w);

/* The job has ended: cuts every number in the channel to what can be, and ends
 * every text.  The one place that does so (bound.c); worker.c calls it. */
void worker_bound_channel(struct worker *w);

/* How the execution under way failed, if it did: from the channel, or from how
 * the process ended.  Texts in it are sound. */
bool worker_failure(const struct worker *w, struct channel_failure *f);

/* Adds what its executions observed; returns how many of those did not fit. */
uint64_t worker_outcomes(const struct worker *w, struct tally *to,
                         struct arena *a);

/* What the program printed, control characters replaced. */
void worker_output(const struct worker *w, struct buf *out);

/* Why it could not be run (WORKER_BAD). */
void worker_complaint(const struct worker *w, struct buf *out);

/* The channel as the program will get it, on the descriptor that
 * FENCER_CHANNEL names; for a program that somebody else starts (gdb). */
bool worker_channel(struct worker *w, const struct job *j, struct err *e);
bool worker_hand_over(const struct worker *w, struct err *e);

/* From now on Ctrl-C and kill only set a flag. */
/* The first SIGINT, SIGTERM or SIGHUP is an interrupt; the second ends us. */
void worker_catch_interrupts(void);
bool worker_interrupted(void);
/* The interrupt was obeyed: what remains to be done is short. */
void worker_go_on(void);

/* How long its processes have worked on this job, by the processor's clock. */
uint64_t worker_worked_ms(const struct worker *w);

/* A clock for time limits. */
uint64_t worker_now_ms(void);
/* Has that moment come?  0 never does. */
bool worker_time_is_up(uint64_t until_ms);

#endif
