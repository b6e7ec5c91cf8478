/* SPDX-License-Identifier: MIT
 *
 * A CAS that is tried again with what it found.  The load before the loop is no
 * stronger than a CAS that fails: or else (STRONG) an execution in which one
 * fails is not one in which the load read later, and the value may be old.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef STRONG
#define FIRST memory_order_acquire
#define TRIED memory_order_relaxed
#else
#define FIRST memory_order_relaxed
#define TRIED memory_order_acquire
#endif

static atomic_int count, value;

static void *writer(void *unused)
{
    (void)unused;
    atomic_store_explicit(&value, 1, memory_order_relaxed);
    atomic_store_explicit(&count, 1, memory_order_release);
    return NULL;
}

static void *adder(void *unused)
{
    int seen = atomic_load_explicit(&count, FIRST), was;

    (void)unused;
    while (!atomic_compare_exchange_strong_explicit(&count, &seen, seen + 2,
                                                    TRIED, TRIED))
        ;
    was = atomic_load_explicit(&value, memory_order_relaxed);
    assert(seen == 0 || was == 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, adder, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
