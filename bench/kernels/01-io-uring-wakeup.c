/* SPDX-License-Identifier: MIT
 *
 * io_uring with a polling kernel thread: liburing issue 541, pull request 542;
 * the same in libuv (pull request 4921) and tokio's io-uring (281).
 *
 * The application publishes a request by moving `sq_tail`, then looks whether
 * the poller went to sleep.  The poller says that it is going to sleep, then
 * looks at `sq_tail` a last time.  Acquire and release, which issue 219 asked
 * for, keep neither load after the store before it: each side may miss the
 * other's word.
 *
 * To the user: a submitted request is never done, and the program hangs, once
 * in hours.
 *
 *   broken: tso
 *   failure: lost wake-up
 *   fixed: pslo
 *   fence: sl after atomic_store_explicit(&sq_tail
 *   fence: sl after atomic_store_explicit(&sq_flags, NEED_WAKEUP
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FIXED
#define smp_mb() atomic_thread_fence(memory_order_seq_cst)
#else
#define smp_mb() ((void)0)
#endif

#define NEED_WAKEUP 1u

static atomic_uint sq_tail, sq_flags;
static sem_t enter; /* io_uring_enter wakes the poller */

/* io_uring_submit. */
static void *application(void *unused)
{
    (void)unused;
    atomic_store_explicit(&sq_tail, 1, memory_order_release);
    smp_mb();
    if (atomic_load_explicit(&sq_flags, memory_order_acquire) & NEED_WAKEUP)
        sem_post(&enter);
    return NULL;
}

/* io_sq_thread, with nothing to do so far. */
static void *poller(void *unused)
{
    unsigned seen = 0;

    (void)unused;
    atomic_store_explicit(&sq_flags, NEED_WAKEUP, memory_order_relaxed);
    smp_mb();
    if (atomic_load_explicit(&sq_tail, memory_order_acquire) == seen)
        sem_wait(&enter);
    atomic_store_explicit(&sq_flags, 0, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&enter, 0, 0);
    pthread_create(&a, NULL, application, NULL);
    pthread_create(&b, NULL, poller, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
