/* SPDX-License-Identifier: MIT
 *
 * A pool of N threads and JOBS jobs, as people write it: a list under a mutex,
 * a condition variable for who waits for work and one for who waits for the end
 * of all work.
 *
 *   -DBATCH     all jobs are given at once
 *   -DHASTY     a worker says that a job is done before it has done it
 */
#include "peers.h"

#ifndef JOBS
#define JOBS N
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static int given, taken, done;
static bool over;
static int results[JOBS];

/* The number of a job; JOBS: there will be no more. */
static int take_job(void)
{
    int job;

    pthread_mutex_lock(&mutex);
    while (taken == given && !over)
        pthread_cond_wait(&work, &mutex);
    job = taken < given ? taken++ : JOBS;
    pthread_mutex_unlock(&mutex);
    return job;
}

static void end_job(void)
{
    pthread_mutex_lock(&mutex);
    if (++done == JOBS)
        pthread_cond_signal(&idle);
    pthread_mutex_unlock(&mutex);
}

static void *run(void *unused)
{
    int job;

    while ((job = take_job()) < JOBS) {
#ifdef HASTY
        end_job();
        results[job] = job + 1;
#else
        results[job] = job + 1;
        end_job();
#endif
    }
    return unused;
}

static void give_jobs(void)
{
#ifdef BATCH
    pthread_mutex_lock(&mutex);
    given = JOBS;
    pthread_cond_broadcast(&work);
    pthread_mutex_unlock(&mutex);
#else
    for (int i = 0; i < JOBS; i++) {
        pthread_mutex_lock(&mutex);
        given++;
        pthread_cond_signal(&work);
        pthread_mutex_unlock(&mutex);
    }
#endif
}

static void await_jobs(void)
{
    pthread_mutex_lock(&mutex);
    while (done < JOBS)
        pthread_cond_wait(&idle, &mutex);
    over = true;
    pthread_cond_broadcast(&work);
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t ids[N];

    start_threads(ids, 0, N, run);
    give_jobs();
    await_jobs();
    for (int i = 0; i < JOBS; i++)
        assert(results[i] == i + 1);
    join_threads(ids, N);
    return 0;
}
