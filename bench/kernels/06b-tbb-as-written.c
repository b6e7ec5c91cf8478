/* SPDX-License-Identifier: MIT
 *
 * 06a as oneTBB had it: the exchange is seq_cst.
 *
 * On AArch64 that is a loop of ldaxr and stlxr, or swpal, and the relaxed load
 * after it may be satisfied before the store of the exchange is seen; C11
 * allows it too.  (Zephyr issue 32133 is about the same.)  On the machines of
 * the papers a seq_cst RMW is one event with a full fence on either side, so
 * none of them shows what happened in production.  ARM does, if it is a loop,
 * and POWER, whose loop has its sync in front.  RISC-V has one instruction for
 * an exchange, which keeps both.
 *
 *   broken: none
 *   failure: lost wake-up
 *   fixed: pslo
 *   verify: arm broken, riscv right, power broken, c11 broken
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
    atomic_exchange(&flag, 0);
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
    while (atomic_exchange(&flag, 1)) {
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
