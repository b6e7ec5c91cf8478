/* SPDX-License-Identifier: MIT
 *
 * For late-interrupt.sh: some 200,000 executions without late loads, and more
 * with such than are explored.
 */
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 6

static atomic_int x, y;

static void *first(void *unused)
{
    for (int i = 1; i <= ROUNDS; i++) {
        atomic_load_explicit(&x, memory_order_relaxed);
        atomic_store_explicit(&y, i, memory_order_relaxed);
    }
    return unused;
}

static void *second(void *unused)
{
    for (int i = 1; i <= ROUNDS; i++) {
        atomic_load_explicit(&y, memory_order_relaxed);
        atomic_store_explicit(&x, i, memory_order_relaxed);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
