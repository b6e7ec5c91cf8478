/* SPDX-License-Identifier: MIT
 *
 * A spin lock by compare-and-swap, which resets what it expects, and yields now
 * and then.  -DBROKEN: unlock is relaxed.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BROKEN
#define UNLOCK memory_order_relaxed
#else
#define UNLOCK memory_order_release
#endif

static atomic_int held;
static int balance = 10;

static void lock(void)
{
    int expected = 0, spins = 0;

    while (!atomic_compare_exchange_weak_explicit(
        &held, &expected, 1, memory_order_acquire, memory_order_relaxed)) {
        expected = 0;
        if (++spins > 100) {
            sched_yield();
            spins = 0;
        }
    }
}

static void unlock(void)
{
    atomic_store_explicit(&held, 0, UNLOCK);
}

static void *withdraw(void *unused)
{
    lock();
    balance -= 5;
    unlock();
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, withdraw, NULL);
    pthread_create(&b, NULL, withdraw, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance == 0);
    return 0;
}
