/* SPDX-License-Identifier: MIT
 *
 * OpenJDK, LinkedTransferQueue on ARM64 without LSE: JDK-8386428, pull request
 * 31465; Microsoft's openjdk-jdk25u had fences for it before (30).
 *
 * Who waits for an item writes itself into `waiter`, looks at `item`, and
 * parks. Who brings the item puts it there with a compare-and-swap, then looks
 * for a waiter.  That load may execute before the store-exclusive of the other.
 *
 * Java's compare-and-swap is more than a release; on PSLO an RMW is one event,
 * which a later load passes only if it is not an acquire.  Where it is two, it
 * may be seq_cst: -DREAL.
 *
 * To the user: a thread parks and is never unparked; a test that times out in
 * nearly every run.
 *
 * -DFIXED has a full fence before the look; a load that is as strong would do.
 *
 *   broken: pslo
 *   failure: lost wake-up
 *   fixed: pslo
 *   fence: sl before if (atomic_load_explicit(&waiter
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DREAL: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 *   verify -DFIXED -DREAL: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef REAL
#define PUT memory_order_seq_cst
#else
#define PUT memory_order_release
#endif

static atomic_int item, waiter;
static sem_t permit;

/* xfer, for who brings something. */
static void *producer(void *unused)
{
    int empty = 0;

    (void)unused;
    atomic_compare_exchange_strong_explicit(&item, &empty, 1, PUT,
                                            memory_order_relaxed);
#ifdef FIXED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    if (atomic_load_explicit(&waiter, memory_order_relaxed))
        sem_post(&permit); /* unpark */
    return NULL;
}

/* await. */
static void *consumer(void *unused)
{
    (void)unused;
    atomic_store(&waiter, 1);
    if (!atomic_load(&item))
        sem_wait(&permit); /* park */
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&permit, 0, 0);
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
