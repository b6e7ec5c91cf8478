/* SPDX-License-Identifier: MIT
 *
 * oneTBB's mutex on AArch64 (pull request 2136), and libc++'s atomic::wait
 * (llvm issue 109290, pull request 146267).
 *
 * Unlocking exchanges the flag, then looks whether the wait set is empty.  The
 * waiter enters the wait set, has a full fence, looks at the flag, and sleeps.
 * An exchange is no fence: the look at the wait set may come before the half of
 * it that writes.
 *
 * To the user: threads sleep for ever on a mutex that is free, after hours or
 * days under load.
 *
 * The real exchange was seq_cst; 06b is about that.
 *
 * -DFIXED puts a full fence before the look.
 *
 *   broken: pslo
 *   failure: lost wake-up
 *   fixed: pslo
 *   fence: sl after atomic_exchange_explicit(&flag, 0
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag = 1; /* locked by `owner` */
static atomic_int waitset;  /* how many are in it */
static sem_t wakeup;

/* mutex::unlock, notify_by_address_one. */
static void *owner(void *unused)
{
    (void)unused;
    atomic_exchange_explicit(&flag, 0, memory_order_release);
#ifdef FIXED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    if (atomic_load_explicit(&waitset, memory_order_relaxed) > 0)
        sem_post(&wakeup);
    return NULL;
}

/* mutex::lock, concurrent_monitor::wait. */
static void *waiter(void *unused)
{
    (void)unused;
    while (atomic_exchange_explicit(&flag, 1, memory_order_acquire)) {
        atomic_fetch_add_explicit(&waitset, 1, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst);
        if (atomic_load_explicit(&flag, memory_order_relaxed))
            sem_wait(&wakeup);
        atomic_fetch_sub_explicit(&waitset, 1, memory_order_relaxed);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&wakeup, 0, 0);
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
