/* SPDX-License-Identifier: MIT
 *
 * A sequence lock whose reader ends without a fence: CPython's
 * _PySeqLock_EndRead (pull request 121388, crashes on macOS arm64); dora issue
 * 3288, its second defect.
 *
 * The reader takes the sequence, the data, and the sequence again, with
 * acquire, which orders nothing that came before.  The second look may be
 * satisfied before the data is read, and so misses a writer that came in
 * between.
 *
 * To the user: the type cache answers with another type's method.
 *
 * CPython's writer lacked a release fence after the compare-and-swap that
 * makes the sequence odd.  Here no store passes an RMW before it, so that half
 * of the repair cannot be seen to be needed; 21a has it with a store.
 *
 *   broken: pslo
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ll before unsigned after =
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
    atomic_thread_fence(memory_order_acquire);
    int a = left;
    int b = right;
#ifdef FIXED
    atomic_thread_fence(memory_order_acquire);
#endif
    unsigned after = atomic_load_explicit(&sequence, memory_order_acquire);
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
