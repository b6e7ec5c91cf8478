/* SPDX-License-Identifier: MIT
 *
 * A lost wake-up: who goes to sleep looks at what the other says, and the other
 * looks whether somebody sleeps.
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef STORE
#define STORE memory_order_relaxed
#define LOAD memory_order_relaxed
#endif

static atomic_int sleeps, done, wake;

static void fence(void)
{
#ifdef FENCED
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void *sleeper(void *unused)
{
    atomic_store_explicit(&sleeps, 1, STORE);
    fence();
    if (!atomic_load_explicit(&done, LOAD))
        while (!atomic_load_explicit(&wake, LOAD)) {
        }
    return unused;
}

static void *waker(void *unused)
{
    atomic_store_explicit(&done, 1, STORE);
    fence();
    if (atomic_load_explicit(&sleeps, LOAD))
        atomic_store_explicit(&wake, 1, STORE);
    return unused;
}

int main(void)
{
    pthread_t s, w;

    pthread_create(&s, NULL, sleeper, NULL);
    pthread_create(&w, NULL, waker, NULL);
    pthread_join(s, NULL);
    pthread_join(w, NULL);
    return 0;
}
