/* SPDX-License-Identifier: MIT
 *
 * A sequence lock as Boehm has it (MSPC 2012): the data are relaxed atomics,
 * and fences keep them between the two looks at the counter.  BUG: no fence in
 * the reader.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int sequence, left, right;

static void *writer(void *unused)
{
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&left, 1, memory_order_relaxed);
    atomic_store_explicit(&right, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return unused;
}

static void *reader(void *unused)
{
    int before = atomic_load_explicit(&sequence, memory_order_acquire);
    int a = atomic_load_explicit(&left, memory_order_relaxed);
    int b = atomic_load_explicit(&right, memory_order_relaxed);

#ifndef BUG
    atomic_thread_fence(memory_order_acquire);
#endif
    if (before % 2 == 0 &&
        atomic_load_explicit(&sequence, memory_order_relaxed) == before)
        assert(a == b);
    return unused;
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
