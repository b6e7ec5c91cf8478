/* SPDX-License-Identifier: MIT
 *
 * MySQL, TTASFutexMutex: pull request 166, a read barrier where a write barrier
 * belongs.
 *
 * Unlocking exchanges the lock word, and a read barrier stands before it.  What
 * was written inside may reach memory after the word.
 *
 * To the user: InnoDB's data damaged, on ARM and POWER.
 *
 * -DFIXED has a write barrier there.
 *
 *   broken: pso
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ss after counter = counter + 1;
 *   verify: arm broken, riscv broken, power right, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int lock_word;
static volatile int counter;

static void *thread(void *unused)
{
    (void)unused;
    while (atomic_exchange_explicit(&lock_word, 1, memory_order_acquire))
        ;
    counter = counter + 1;
#ifdef FIXED
    atomic_thread_fence(memory_order_release);
#else
    atomic_thread_fence(memory_order_acquire);
#endif
    atomic_exchange_explicit(&lock_word, 0, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
