/* SPDX-License-Identifier: MIT
 *
 * A writer of more than 256 accesses, whose last store may be late unless the
 * flag is released (-DST=memory_order_release).
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define ROUNDS 400

static atomic_int data, flag;

static void *writer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= ROUNDS; i++)
        atomic_store_explicit(&data, i, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, ST);
    return NULL;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, writer, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(atomic_load_explicit(&data, memory_order_relaxed) == ROUNDS);
    pthread_join(thread, NULL);
    return 0;
}
