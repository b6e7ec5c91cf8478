/* SPDX-License-Identifier: MIT
 *
 * A thread parks until another unparks it; the word says empty, notified or
 * parked, and a condition variable does the sleeping.  -DBROKEN: the waiter
 * says that it is about to park by a release store, and looks at the work.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm no, riscv no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef BROKEN
#define ANNOUNCE memory_order_release
#else
#define ANNOUNCE memory_order_seq_cst
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static bool permit;
static atomic_bool parked;
static atomic_int work;

static void park(void)
{
    pthread_mutex_lock(&mutex);
    while (!permit)
        pthread_cond_wait(&cond, &mutex);
    permit = false;
    pthread_mutex_unlock(&mutex);
}

static void unpark(void)
{
    pthread_mutex_lock(&mutex);
    permit = true;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
}

static void *waiter(void *arg)
{
    for (int spins = 0; spins < 2; spins++) {
        if (atomic_load(&work))
            return arg;
    }
    atomic_store_explicit(&parked, true, ANNOUNCE);
    while (!atomic_load(&work))
        park();
    assert(atomic_load(&work) == 1);
    return arg;
}

static void *poster(void *arg)
{
    atomic_store(&work, 1);
    if (atomic_load(&parked))
        unpark();
    return arg;
}

int main(void)
{
    pthread_t w, p;

    pthread_create(&w, NULL, waiter, NULL);
    pthread_create(&p, NULL, poster, NULL);
    pthread_join(w, NULL);
    pthread_join(p, NULL);
    return 0;
}
