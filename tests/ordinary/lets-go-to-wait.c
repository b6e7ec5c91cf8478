/* SPDX-License-Identifier: MIT
 *
 * Who waits for something under a mutex lets it go, sleeps, and takes it again:
 * a condition variable of the poor.  -DBROKEN: the answer comes after the flag
 * that tells of it.  -DATOMIC: the flag is set without the mutex.
 *
 * verify:                    sc no, tso no, pso no, pslo no, c11 no
 * verify:                    arm no, riscv no
 * verify -DBROKEN:           sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:           arm yes, riscv yes
 * verify -DATOMIC:           sc no, tso no, pso no, pslo no, c11 no
 * verify -DATOMIC:           arm no, riscv no
 * verify -DATOMIC -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DATOMIC -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int answer;

#if defined ATOMIC && defined BROKEN
#define READY memory_order_relaxed
#else
#define READY memory_order_release
#endif

static void *produce(void *unused)
{
#ifdef ATOMIC
    answer = 42;
    atomic_store_explicit(&ready, 1, READY);
#else
    pthread_mutex_lock(&mutex);
#ifndef BROKEN
    answer = 42;
#endif
    atomic_store_explicit(&ready, 1, READY);
    pthread_mutex_unlock(&mutex);
#ifdef BROKEN
    pthread_mutex_lock(&mutex);
    answer = 42;
    pthread_mutex_unlock(&mutex);
#endif
#endif
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, produce, NULL);
    pthread_mutex_lock(&mutex);
    while (!atomic_load_explicit(&ready, memory_order_acquire)) {
        pthread_mutex_unlock(&mutex);
        usleep(100);
        pthread_mutex_lock(&mutex);
    }
    assert(answer == 42);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
