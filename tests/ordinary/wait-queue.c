/* SPDX-License-Identifier: MIT
 *
 * Sleep and wake-up over a small portability layer, as in many projects.
 * -DBROKEN: the layer was written for one processor: smp_mb() stops the
 * compiler only, and a wake-up is lost.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

/* ---- arch.h ---- */

typedef struct {
    int v;
} atomic_t;

static inline int atomic_read(atomic_t *a)
{
    return __atomic_load_n(&a->v, __ATOMIC_RELAXED);
}

static inline void atomic_set(atomic_t *a, int v)
{
    __atomic_store_n(&a->v, v, __ATOMIC_RELAXED);
}

static inline void smp_mb(void)
{
#ifdef BROKEN
    __asm__ __volatile__("" ::: "memory");
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* ---- waitqueue.c ---- */

struct waitqueue {
    pthread_mutex_t lock;
    pthread_cond_t cond;
    atomic_t sleepers;
};

static void wake_up(struct waitqueue *q)
{
    smp_mb();
    if (!atomic_read(&q->sleepers))
        return;
    pthread_mutex_lock(&q->lock);
    pthread_cond_broadcast(&q->cond);
    pthread_mutex_unlock(&q->lock);
}

static void wait_event(struct waitqueue *q, atomic_t *condition)
{
    if (atomic_read(condition))
        return;
    pthread_mutex_lock(&q->lock);
    atomic_set(&q->sleepers, atomic_read(&q->sleepers) + 1);
    smp_mb();
    while (!atomic_read(condition))
        pthread_cond_wait(&q->cond, &q->lock);
    atomic_set(&q->sleepers, atomic_read(&q->sleepers) - 1);
    pthread_mutex_unlock(&q->lock);
}

/* ---- driver.c ---- */

static struct waitqueue queue = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}};
static atomic_t data_ready;

static void *interrupt(void *unused)
{
    atomic_set(&data_ready, 1);
    wake_up(&queue);
    return unused;
}

static void *reader(void *unused)
{
    wait_event(&queue, &data_ready);
    assert(atomic_read(&data_ready));
    return unused;
}

int main(void)
{
    pthread_t i, r;

    pthread_create(&r, 0, reader, 0);
    pthread_create(&i, 0, interrupt, 0);
    pthread_join(r, 0);
    pthread_join(i, 0);
    return 0;
}
