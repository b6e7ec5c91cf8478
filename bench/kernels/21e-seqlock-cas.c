/* SPDX-License-Identifier: MIT
 *
 * CPython's sequence lock, its writer: pull request 121388, the half of it that
 * only a checker for C11 asked for.
 *
 * The writer makes the sequence odd with a compare-and-swap.  The stores after
 * it may be seen before the half of it that writes; so they are on ARM, where
 * it is a loop of exclusive loads and stores, on POWER, and in C11.  On the
 * machines of the papers an RMW is one event, which no later store of its
 * thread passes, whatever its order.  On RISC-V the stores depend on the branch
 * that ends the loop, and it looks at what the sc said.
 *
 *   broken: none
 *   failure: assertion failed
 *   fixed: pslo
 *   verify: arm broken, riscv right, power broken, c11 broken
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
    unsigned even = 0;

    (void)unused;
    atomic_compare_exchange_strong_explicit(
        &sequence, &even, 1, memory_order_relaxed, memory_order_relaxed);
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
