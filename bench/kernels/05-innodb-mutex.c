/* SPDX-License-Identifier: MIT
 *
 * Percona Server and MySQL, InnoDB's mutex: pull requests 251 and 252, MySQL
 * bug 76135.
 *
 * Unlocking frees `lock_word`, then looks whether anybody waits.  Who fails to
 * lock says that it waits, tries once more, and sleeps.  Freeing used to be an
 * atomic exchange; when that became a release store, the look at `waiters`
 * could overtake it, also on x86.
 *
 * To the user: a production server stops answering; all threads wait for a
 * mutex that nobody holds.
 *
 * ARM keeps a release store before a later acquire load, unless that is an
 * ldapr (--rcpc).
 *
 * -DFIXED brings back the full barrier.  C11 wants another one, of who waits:
 * no order of an exchange, not even seq_cst, keeps the store before it there,
 * as all machines do.  That is -DFIXED_C11.
 *
 *   broken: tso
 *   failure: lost wake-up
 *   fixed: pslo
 *   fence: sl after atomic_store_explicit(&lock_word, 0
 *   verify: arm right, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 broken
 *   verify -DFIXED -DFIXED_C11: arm right, riscv right, power right, c11 right
 *   verify --rcpc: arm broken
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int lock_word = 1, waiters; /* locked by `owner` */
static sem_t event;

/* mutex_exit. */
static void *owner(void *unused)
{
    (void)unused;
    atomic_store_explicit(&lock_word, 0, memory_order_release);
#ifdef FIXED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    if (atomic_load_explicit(&waiters, memory_order_acquire)) {
        atomic_store_explicit(&waiters, 0, memory_order_relaxed);
        sem_post(&event);
    }
    return NULL;
}

/* mutex_spin_wait, with no patience for spinning. */
static void *waiter(void *unused)
{
    (void)unused;
    while (atomic_exchange(&lock_word, 1)) {
        atomic_store_explicit(&waiters, 1, memory_order_release);
#ifdef FIXED_C11
        atomic_thread_fence(memory_order_seq_cst);
#endif
        if (!atomic_exchange(&lock_word, 1))
            break;
        sem_wait(&event);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&event, 0, 0);
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
