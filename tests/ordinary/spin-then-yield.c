/* SPDX-License-Identifier: MIT
 *
 * A lock that is tried two hundred times between yields: by a CAS, or (-DTTAS)
 * by a look and an exchange, which may find that somebody was faster. -DBROKEN:
 * the unlocking store is relaxed.
 *
 * verify:                  sc no, tso no, pso no, pslo no, c11 no
 * verify:                  arm no, riscv no
 * verify -DBROKEN:         sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:         arm yes, riscv yes
 * verify -DTTAS:           sc no, tso no, pso no, pslo no, c11 no
 * verify -DTTAS:           arm no, riscv no
 * verify -DTTAS -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DTTAS -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef BROKEN
#define LEAVE memory_order_relaxed
#else
#define LEAVE memory_order_release
#endif

static atomic_int taken;
static int counter;

static bool try_lock(void)
{
#ifdef TTAS
    return !atomic_load_explicit(&taken, memory_order_relaxed) &&
           !atomic_exchange_explicit(&taken, 1, memory_order_acquire);
#else
    int expected = 0;

    return atomic_compare_exchange_strong_explicit(
        &taken, &expected, 1, memory_order_acquire, memory_order_relaxed);
#endif
}

static void lock(void)
{
    for (;;) {
        for (int i = 0; i < 200; i++) {
            if (try_lock())
                return;
            __builtin_ia32_pause();
        }
        sched_yield();
    }
}

static void *work(void *unused)
{
    lock();
    counter++;
    atomic_store_explicit(&taken, 0, LEAVE);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
