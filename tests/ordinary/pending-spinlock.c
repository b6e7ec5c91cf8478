/* SPDX-License-Identifier: MIT
 *
 * The first half of Linux' queued spin lock: one waiter announces itself in a
 * pending bit and spins on the locked byte, others go round.  -DBROKEN: unlock
 * clears the locked bits with a relaxed fetch_sub.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no, power no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes, power yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define LOCKED 1u
#define LOCKED_MASK 0xffu
#define PENDING 0x100u

typedef struct {
    _Atomic uint32_t val;
} qspinlock_t;

static qspinlock_t lock;
static int balance, history;

static void spin_lock(qspinlock_t *l)
{
    uint32_t v = 0;

    if (atomic_compare_exchange_strong_explicit(
            &l->val, &v, LOCKED, memory_order_acquire, memory_order_relaxed))
        return;
    for (;;) {
        v = atomic_fetch_or_explicit(&l->val, PENDING, memory_order_acquire);
        if (v & PENDING)
            continue;
        while (atomic_load_explicit(&l->val, memory_order_acquire) &
               LOCKED_MASK)
            __builtin_ia32_pause();
        /* We alone may clear pending. */
        atomic_fetch_add_explicit(&l->val, LOCKED - PENDING,
                                  memory_order_relaxed);
        return;
    }
}

static void spin_unlock(qspinlock_t *l)
{
#ifdef BROKEN
    atomic_fetch_sub_explicit(&l->val, LOCKED, memory_order_relaxed);
#else
    atomic_fetch_sub_explicit(&l->val, LOCKED, memory_order_release);
#endif
}

static void *deposit(void *amount)
{
    spin_lock(&lock);
    balance += (int)(intptr_t)amount;
    history++;
    spin_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], 0, deposit, (void *)10);
    pthread_create(&t[1], 0, deposit, (void *)20);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(balance == 30 && history == 2);
    return 0;
}
