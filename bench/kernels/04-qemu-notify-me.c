/* SPDX-License-Identifier: MIT
 *
 * QEMU, AioContext: merge 17e1e4981409, "use explicit memory barriers".  On
 * aarch64 qemu-img hung in one run of three (osbuild pull request 657).
 *
 * The event loop raises `notify_me`, looks for work, and sleeps if there is
 * none.  Who brings work stores it, has a full barrier, and looks at
 * `notify_me`.  The raise is an atomic read-modify-write, taken for a barrier;
 * on ARM a later load may pass the half of it that writes.
 *
 * The real one asked for seq_cst and became a loop of ldaxr and stlxr.  On PSLO
 * an RMW is one event, which a later load passes only if it is not an acquire:
 * hence `release`.  ARM, POWER and C11 show it as it was written, too: that is
 * -DREAL.
 *
 * To the user: the program sleeps with work on its list.
 *
 *   broken: pslo
 *   failure: lost wake-up
 *   fixed: pslo
 *   fence: sl after atomic_fetch_add_explicit(&notify_me, 2
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DREAL: arm broken, riscv right, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 *   verify -DFIXED -DREAL: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef REAL
#define RAISE memory_order_seq_cst
#else
#define RAISE memory_order_release
#endif

static atomic_int notify_me, scheduled;
static sem_t notifier; /* an eventfd */

/* aio_poll. */
static void *event_loop(void *unused)
{
    (void)unused;
    atomic_fetch_add_explicit(&notify_me, 2, RAISE);
#ifdef FIXED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    if (!atomic_load_explicit(&scheduled, memory_order_relaxed))
        sem_wait(&notifier); /* ppoll without a timeout */
    atomic_fetch_sub_explicit(&notify_me, 2, memory_order_release);
    return NULL;
}

/* qemu_bh_schedule, aio_notify. */
static void *worker(void *unused)
{
    (void)unused;
    atomic_store_explicit(&scheduled, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&notify_me, memory_order_relaxed))
        sem_post(&notifier);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&notifier, 0, 0);
    pthread_create(&a, NULL, event_loop, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
