/* SPDX-License-Identifier: MIT
 *
 * Message passing; the flag is a store, or with -DRMW a relaxed fetch_add.
 * The toy model allows the first to fail and forbids the second.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int message, ready;

static void *sender(void *unused)
{
    (void)unused;
    atomic_store_explicit(&message, 1, memory_order_relaxed);
#ifdef RMW
    atomic_fetch_add_explicit(&ready, 1, memory_order_relaxed);
#else
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a;

    pthread_create(&a, NULL, sender, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        assert(atomic_load_explicit(&message, memory_order_relaxed) == 1);
    pthread_join(a, NULL);
    return 0;
}
