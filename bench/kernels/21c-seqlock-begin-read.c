/* SPDX-License-Identifier: MIT
 *
 * A sequence lock whose reader begins without a fence: Typhon issue 579, its
 * third defect.
 *
 * The reader takes the sequence, the data, and the sequence again.  Data that
 * was read before the first look may be from before the writer began, though
 * the number is already the one of after.
 *
 * To the user: a page that is half old and half new, with a valid checksum.
 *
 *   broken: pslo
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ll before int a = left;
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
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&sequence, 2, memory_order_relaxed);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    unsigned before = atomic_load_explicit(&sequence, memory_order_relaxed);
#ifdef FIXED
    atomic_thread_fence(memory_order_acquire);
#endif
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
