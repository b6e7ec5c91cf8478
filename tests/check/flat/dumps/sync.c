/* SPDX-License-Identifier: MIT
 *
 * Constructs and units: locks, compare-and-swap, an atomic block, fences.
 */
#include <pthread.h>
#include <stdatomic.h>

#include <fencer.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int a;
int x, y;

FENCER_INIT
{
    x = 1;
}

FENCER_OP(l)
{
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    if (pthread_mutex_trylock(&lock) == 0)
        pthread_mutex_unlock(&lock);
}

FENCER_OP(c)
{
    int zero = 0;

    atomic_compare_exchange_strong_explicit(&a, &zero, 1, memory_order_acq_rel,
                                            memory_order_relaxed);
    atomic_compare_exchange_strong(&a, &zero, 1);
    atomic_fetch_add_explicit(&a, 1, memory_order_release);
}

FENCER_OP(b)
{
    fencer_atomic
    {
        if (x == 1)
            y = 2;
    }
    fencer_fence_ss();
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&a, 3, memory_order_release);
}
