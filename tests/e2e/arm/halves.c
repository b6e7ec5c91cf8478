/* SPDX-License-Identifier: MIT
 *
 * A word that is written by halves and read as a whole, once a flag is up:
 * right if the flag is released (-DST=memory_order_release).
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static union {
    _Atomic uint32_t whole;
    _Atomic uint16_t half[2];
} word;
static atomic_int flag;

static void *writer(void *unused)
{
    (void)unused;
    atomic_store_explicit(&word.half[0], 1, memory_order_relaxed);
    atomic_store_explicit(&word.half[1], 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, ST);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(atomic_load_explicit(&word.whole, memory_order_relaxed) ==
               0x10001);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
