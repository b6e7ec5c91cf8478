/* SPDX-License-Identifier: MIT
 *
 * Jobs side by side.  Each is a task with a worker of its own; a worker that
 * has done its job and stays (job.stay) is kept for the next one, because
 * starting a program costs more than most jobs.
 */
#ifndef WORKER_POOL_H
#define WORKER_POOL_H

#include "worker/worker.h"

#define POOL_SPARES_MAX 16

/* Its owner keeps it in place while it runs. */
struct task {
    /* Called when the job has ended or its worker was lost (worker.end says
     * which); the worker is released afterwards.  May start any task, this one
     * too.  NULL: the owner looks at the worker and releases it. */
    bool (*ended)(struct task *t, struct err *e);
    void *owner;
    struct worker worker;
    bool running;
    struct task *next; /* the pool's */
};

/* A zeroed one is empty. */
struct pool {
    struct task *running; /* in the order in which they were started */
    struct worker spares[POOL_SPARES_MAX];
    size_t spare_count;
};

/* False: e says what is wrong with the machine. */
bool pool_start(struct pool *p, struct task *t, const struct job *j,
                struct err *e);

/* Waits until some task has ended, the time has come (0: never), or the user
 * interrupts; then calls `ended` of those that have, in the order of their
 * start.  False: one of the calls failed. */
bool pool_wait(struct pool *p, uint64_t until_ms, struct err *e);

/* How many run. */
size_t pool_running(const struct pool *p);

/* Asks all that run to end their jobs after the execution under way. */
void pool_pause(struct pool *p);

/* Ends the task now, if it runs, without a call.  Then pool_release. */
void pool_stop(struct pool *p, struct task *t);

/* The worker is needed no more: it stays for another job, or is freed. */
void pool_release(struct pool *p, struct worker *w);

/* Ends all that run, without a call, and sends the spare ones away. */
void pool_dismiss(struct pool *p);

#endif
