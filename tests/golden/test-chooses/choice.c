/* SPDX-License-Identifier: MIT
 *
 * Chooses before there is a second thread, and has a cycle that no search can
 * create: executions begin like earlier ones, choices included.
 */
#include <fencer.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y, flag;

static void *left(void *arg)
{
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    (void)atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

static void *right(void *arg)
{
    (void)arg;
    while (!atomic_load_explicit(&flag, memory_order_relaxed))
        ;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    (void)atomic_load_explicit(&x, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int swapped = fencer_choose(2);

    pthread_create(&a, NULL, swapped ? right : left, NULL);
    pthread_create(&b, NULL, swapped ? left : right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
