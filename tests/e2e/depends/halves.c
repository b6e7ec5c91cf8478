/* SPDX-License-Identifier: MIT
 *
 * What is published is written by halves and read as a whole, through the
 * pointer: an access of several parts whose address depends on a load.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
    uint32_t half[2];
    uint64_t whole;
} message;
static _Atomic(uint64_t *) published;

static void *writer(void *arg)
{
    message.half[0] = message.half[1] = 1;
    atomic_store_explicit(&published, &message.whole, memory_order_release);
    return arg;
}

static void *reader(void *arg)
{
    uint64_t *p = atomic_load_explicit(&published, memory_order_relaxed);

    if (p)
        assert(*p == 0x100000001);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
