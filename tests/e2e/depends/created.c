/* SPDX-License-Identifier: MIT
 *
 * To make a thread drains the buffer, also where dependent loads are kept in
 * order: who sees `second` sees `first`.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;

static void *nothing(void *arg)
{
    return arg;
}

static void *reader(void *arg)
{
    int saw = atomic_load_explicit(&second, memory_order_acquire);

    assert(!saw || atomic_load_explicit(&first, memory_order_relaxed));
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, reader, NULL);
    atomic_store_explicit(&first, 1, memory_order_relaxed);
#ifndef BROKEN
    pthread_create(&b, NULL, nothing, NULL);
#endif
    atomic_store_explicit(&second, 1, memory_order_relaxed);
#ifdef BROKEN
    pthread_create(&b, NULL, nothing, NULL);
#endif
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
