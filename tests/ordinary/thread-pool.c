/* SPDX-License-Identifier: MIT
 *
 * A pool of two threads with a queue behind a mutex and a condition variable;
 * main waits until the count of unfinished jobs is 0, and reads the results.
 * -DBROKEN: a job is counted as finished with a relaxed decrement.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no, power no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define WORKERS 2

typedef struct {
    void (*fn)(void *);
    void *arg;
} job_t;

static struct pool {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    job_t jobs[4];
    int head, tail;
    bool shutdown;
    atomic_int pending;
    pthread_t threads[WORKERS];
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static void *pool_main(void *arg)
{
    struct pool *p = arg;

    for (;;) {
        pthread_mutex_lock(&p->lock);
        while (p->head == p->tail && !p->shutdown)
            pthread_cond_wait(&p->wake, &p->lock);
        if (p->head == p->tail) {
            pthread_mutex_unlock(&p->lock);
            return NULL;
        }
        job_t job = p->jobs[p->head++];
        pthread_mutex_unlock(&p->lock);
        job.fn(job.arg);
#ifdef BROKEN
        atomic_fetch_sub_explicit(&p->pending, 1, memory_order_relaxed);
#else
        atomic_fetch_sub_explicit(&p->pending, 1, memory_order_release);
#endif
    }
}

static void pool_submit(struct pool *p, void (*fn)(void *), void *arg)
{
    atomic_fetch_add_explicit(&p->pending, 1, memory_order_relaxed);
    pthread_mutex_lock(&p->lock);
    p->jobs[p->tail++] = (job_t){fn, arg};
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
}

static void pool_wait(struct pool *p)
{
    while (atomic_load_explicit(&p->pending, memory_order_acquire) > 0)
        sched_yield();
}

static void pool_destroy(struct pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->shutdown = true;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(p->threads[i], NULL);
}

static void square(void *arg)
{
    int *n = arg;

    *n = *n * *n;
}

int main(void)
{
    int n = 3;

    for (int i = 0; i < WORKERS; i++)
        pthread_create(&pool.threads[i], NULL, pool_main, &pool);
    pool_submit(&pool, square, &n);
    pool_wait(&pool);
    assert(n == 9);
    pool_destroy(&pool);
    return 0;
}
