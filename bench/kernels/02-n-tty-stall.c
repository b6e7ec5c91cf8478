/* SPDX-License-Identifier: MIT
 *
 * Linux, drivers/tty/n_tty.c: a terminal that stalls (commit e81107d4c6bd, seen
 * on x86_64).  The same shape was repaired in printk (1f5d783094cf) and btrfs
 * (66657b318e0e), and checkpatch now warns of it (cb426e99ff92).
 *
 * The writer makes data available, then asks `waitqueue_active` whether anybody
 * waits, which takes no lock.  The reader puts itself on the queue, then looks
 * for data.  The writer's look at the queue may overtake its own store.
 *
 * To the user: a process sleeps in read() although there is input.
 *
 * -DFIXED wakes without that look: `wake_up` takes the queue's lock first.  The
 * reader got a barrier too.
 *
 *   broken: tso
 *   failure: lost wake-up
 *   fixed: pslo
 *   fence: sl after atomic_store_explicit(&commit_head
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_int commit_head;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static volatile bool queued; /* the wait queue: one place */
static sem_t woken;

static void wake_up(void)
{
    pthread_mutex_lock(&queue_lock);
    if (queued)
        sem_post(&woken);
    pthread_mutex_unlock(&queue_lock);
}

/* __receive_buf. */
static void *receiver(void *unused)
{
    (void)unused;
    atomic_store_explicit(&commit_head, 1, memory_order_release);
#ifndef FIXED
    if (queued) /* waitqueue_active */
#endif
        wake_up();
    return NULL;
}

/* n_tty_read. */
static void *reader(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&queue_lock);
    queued = true;
    pthread_mutex_unlock(&queue_lock);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&commit_head, memory_order_acquire) == 0)
        sem_wait(&woken);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&woken, 0, 0);
    pthread_create(&a, NULL, receiver, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
