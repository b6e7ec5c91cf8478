/* SPDX-License-Identifier: MIT
 *
 * A loop that goes round only if its thread's load came after its store.
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

static void *left(void *unused)
{
    int rounds = atomic_load_explicit(&x, memory_order_relaxed);

    atomic_store_explicit(&y, 8, memory_order_relaxed);
    for (int i = 0; i < rounds; i++)
        atomic_fetch_add_explicit(&z, 1, memory_order_relaxed);
    return unused;
}

static void *right(void *unused)
{
    int r = atomic_load_explicit(&y, memory_order_relaxed);

    atomic_store_explicit(&x, r, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t l, r;

    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    return 0;
}
