/* SPDX-License-Identifier: MIT
 *
 * Threads, locks, semaphores, fences, atomics, ghosts, a failing assertion.
 */
#include <assert.h>
#include <fencer.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static _Atomic int flag;
static volatile int data;
fencer_ghost static int seen;

static void *writer(void *argument)
{
    pthread_mutex_lock(&mutex);
    data = *(int *)argument;
    pthread_mutex_unlock(&mutex);
    fencer_fence_ss();
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_fetch_add(&flag, 2);
    __asm__ volatile("mfence" ::: "memory");
    __asm__ volatile("" ::: "memory");
    sem_post(&ready);
    return NULL;
}

int main(void)
{
    int value = 7, expected = 3;
    pthread_mutex_t own;
    pthread_t thread;

    pthread_mutex_init(&own, NULL);
    pthread_mutex_lock(&own);
    sem_init(&ready, 0, 0);
    pthread_create(&thread, NULL, writer, &value);
    if (atomic_compare_exchange_weak_explicit(
            &flag, &expected, 4, memory_order_acq_rel, memory_order_acquire))
        atomic_thread_fence(memory_order_seq_cst);
    sem_wait(&ready);
    pthread_join(thread, NULL);
    fencer_atomic
    {
        seen = data;
    }
    fprintf(stderr, "%d\n", seen);
    assert(seen == 7);
    return flag & 4 ? 1 : 0;
}
