/* SPDX-License-Identifier: MIT
 *
 * An event that is waited for by looking a thousand times, then on a condition
 * variable.  -DBROKEN: who sets it looks for sleepers without the mutex, and
 * may signal before the waiter sleeps.  -DSHORT: the same with few looks.
 *
 * verify:                   sc no, tso no, pso no, pslo no, c11 no
 * verify:                   arm no, riscv no
 * verify -DBROKEN:          sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:          arm yes, riscv yes
 * verify -DSHORT:           sc no, tso no, pso no, pslo no, c11 no
 * verify -DSHORT:           arm no, riscv no
 * verify -DSHORT -DBROKEN:  sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DSHORT -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef SHORT
#define LOOKS 3
#else
#define LOOKS 1000
#endif

static atomic_bool set;
static int payload;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void event_wait(void)
{
    for (int i = 0; i < LOOKS; i++) {
        if (atomic_load_explicit(&set, memory_order_acquire))
            return;
        __builtin_ia32_pause();
    }
    pthread_mutex_lock(&mutex);
    while (!atomic_load_explicit(&set, memory_order_acquire))
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void event_set(void)
{
#ifndef BROKEN
    pthread_mutex_lock(&mutex);
#endif
    atomic_store_explicit(&set, true, memory_order_release);
#ifndef BROKEN
    pthread_mutex_unlock(&mutex);
#endif
    pthread_cond_broadcast(&changed);
}

static void *setter(void *unused)
{
    payload = 5;
    event_set();
    return unused;
}

static void *waiter(void *unused)
{
    event_wait();
    assert(payload == 5);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, setter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
