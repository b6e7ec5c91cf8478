/* SPDX-License-Identifier: MIT
 *
 * A sequence lock whose writer closes with its fence on the wrong side: dora
 * issue 3288, its first defect.
 *
 * The writer makes the sequence odd, writes the data, makes it even again, and
 * only then has its release fence, where it orders nothing.  The even number
 * may reach memory before the data.
 *
 * To the user: frames of two pictures mixed, on ARM boards only.
 *
 * -DFIXED has the fence before the store.
 *
 *   broken: pso
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ss before atomic_store_explicit(&sequence, 2
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint sequence; /* odd: being written */
static volatile int left, right;

static void *writer(void *unused)
{
    (void)unused;
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    left = 1;
    right = 1;
#ifdef FIXED
    atomic_thread_fence(memory_order_release);
#endif
    atomic_store_explicit(&sequence, 2, memory_order_relaxed);
#ifndef FIXED
    atomic_thread_fence(memory_order_release);
#endif
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    unsigned before = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    int a = left;
    int b = right;
    atomic_thread_fence(memory_order_acquire);
    unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before == after && before % 2 == 0)
        assert(a == b);
    return NULL;
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
