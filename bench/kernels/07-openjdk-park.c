/* SPDX-License-Identifier: MIT
 *
 * OpenJDK, AbstractQueuedSynchronizer and LinkedTransferQueue on Windows-ARM64:
 * jdk25u pull request 30.
 *
 * A thread marks its node as waiting, looks at the state once more, and parks.
 * The other changes the state, looks at the mark, and unparks.  Both used
 * release stores and acquire loads, which do not keep a store before a load.
 *
 * To the user: a thread parks and is never unparked, though the lock is free.
 *
 * -DFIXED has a full fence on both sides.
 *
 *   broken: tso
 *   failure: lost wake-up
 *   fixed: pslo
 *   fence: sl after atomic_store_explicit(&status, WAITING
 *   fence: sl after atomic_store_explicit(&state, 0
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#define WAITING 1

static atomic_int state = 1; /* held by `releaser` */
static atomic_int status;    /* of the acquirer's node */
static sem_t permit;

static void full_fence(void)
{
#ifdef FIXED
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void *acquirer(void *unused)
{
    (void)unused;
    atomic_store_explicit(&status, WAITING, memory_order_release);
    full_fence();
    if (atomic_load_explicit(&state, memory_order_acquire))
        sem_wait(&permit); /* park */
    return NULL;
}

static void *releaser(void *unused)
{
    (void)unused;
    atomic_store_explicit(&state, 0, memory_order_release);
    full_fence();
    if (atomic_load_explicit(&status, memory_order_acquire) == WAITING)
        sem_post(&permit); /* unpark */
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&permit, 0, 0);
    pthread_create(&a, NULL, acquirer, NULL);
    pthread_create(&b, NULL, releaser, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
