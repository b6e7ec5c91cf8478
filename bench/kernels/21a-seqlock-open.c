/* SPDX-License-Identifier: MIT
 *
 * A sequence lock whose writer opens without a fence: Typhon issue 579, its
 * first defect.
 *
 * The writer makes the sequence odd, writes the data, makes it even again.  The
 * data may reach memory before the odd number: a reader in between finds the
 * same even number before and after, and half of the new data.
 *
 * To the user: a page that is half old and half new, with a valid checksum.
 *
 *   broken: pso
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ss after atomic_store_explicit(&sequence, 1
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
#ifdef FIXED
    atomic_thread_fence(memory_order_release);
#endif
    left = 1;
    right = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&sequence, 2, memory_order_relaxed);
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
