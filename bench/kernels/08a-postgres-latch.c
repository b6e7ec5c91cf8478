/* SPDX-License-Identifier: MIT
 *
 * PostgreSQL, SetLatch and WaitLatch: commit c8f3bc2401e.
 *
 * SetLatch sets the latch, then looks whether the owner may be asleep; only
 * then it writes to the owner's pipe.  The owner says that it may sleep, looks
 * at the latch, and polls.  Both are a store and then a load of something else.
 *
 * To the user: a backend sleeps until its timeout, or for ever.
 *
 * -DFIXED has a barrier after each store.
 *
 *   broken: tso
 *   failure: lost wake-up
 *   fixed: pslo
 *   fence: sl after is_set = true;
 *   fence: sl after maybe_sleeping = true;
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef FIXED
#define pg_memory_barrier() __sync_synchronize()
#else
#define pg_memory_barrier() ((void)0)
#endif

static volatile bool is_set, maybe_sleeping;
static sem_t self_pipe;

/* SetLatch. */
static void *setter(void *unused)
{
    (void)unused;
    if (is_set)
        return NULL;
    is_set = true;
    pg_memory_barrier();
    if (maybe_sleeping)
        sem_post(&self_pipe);
    return NULL;
}

/* WaitLatch. */
static void *owner(void *unused)
{
    (void)unused;
    maybe_sleeping = true;
    pg_memory_barrier();
    if (!is_set)
        sem_wait(&self_pipe);
    maybe_sleeping = false;
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&self_pipe, 0, 0);
    pthread_create(&a, NULL, setter, NULL);
    pthread_create(&b, NULL, owner, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
