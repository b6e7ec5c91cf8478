/* SPDX-License-Identifier: MIT
 *
 * The reader sets a value of its own between accesses that nobody else sees:
 * none of them is a step of the execution that shows the failure, and each
 * counts once.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key;
static int data;
static atomic_int flag, made, ready;

/* Whoever comes first makes the key. */
static int *own_value(void)
{
    int *own = malloc(sizeof *own), no = 0;

    assert(own);
    if (atomic_compare_exchange_strong(&made, &no, 1)) {
        pthread_key_create(&key, free);
        atomic_store(&made, 2);
    }
    while (atomic_load(&made) != 2)
        ;
    *own = 0;
    pthread_setspecific(key, own);
    return own;
}

static void *write_it(void *unused)
{
    int *own = own_value();

    *own = 1;
    while (!atomic_load(&ready))
        ;
    data = *own;
#ifdef FIXED
    atomic_store_explicit(&flag, 1, memory_order_release);
#else
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
#endif
    return unused;
}

static void *read_it(void *unused)
{
    pthread_key_t number;
    int *own = own_value();

    atomic_store(&ready, 1);
    number = key;
    *own = 2;
    pthread_setspecific(number, own);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(data == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, write_it, NULL);
    pthread_create(&b, NULL, read_it, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
