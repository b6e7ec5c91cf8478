/* SPDX-License-Identifier: MIT
 *
 * A ring from which a consumer takes: it tries a thousand times, and then
 * sleeps on a condition variable.  A try reads two indices.  -DBROKEN: the
 * producer's index is not released.  -DFORGETS: who gave up goes to sleep
 * without a look.
 *
 * verify:            sc no, tso no, pso no, pslo no, c11 no
 * verify:            arm no, riscv no
 * verify -DBROKEN:   sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:   arm yes, riscv yes
 * verify -DFORGETS:  sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DFORGETS:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef BROKEN
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

struct ring {
    atomic_uint head, tail;
    int slots[2];
};

static struct ring ring;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static bool pop(struct ring *r, int *value)
{
    unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);

    if (tail == atomic_load_explicit(&r->head, memory_order_acquire))
        return false;
    *value = r->slots[tail % 2];
    atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
    return true;
}

static int take(struct ring *r)
{
    int value = 0;

    for (int i = 0; i < 1000; i++) {
        if (pop(r, &value))
            return value;
        sched_yield();
    }
    pthread_mutex_lock(&mutex);
#ifdef FORGETS
    pthread_cond_wait(&filled, &mutex);
#endif
    while (!pop(r, &value))
        pthread_cond_wait(&filled, &mutex);
    pthread_mutex_unlock(&mutex);
    return value;
}

static void *produce(void *unused)
{
    ring.slots[0] = 5;
    atomic_store_explicit(&ring.head, 1, PUBLISH);
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *consume(void *unused)
{
    assert(take(&ring) == 5);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, produce, NULL);
    pthread_create(&b, NULL, consume, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
