/* SPDX-License-Identifier: MIT
 *
 * The work-stealing deque of Chase and Lev, adding work: Charm++ issue 1345.
 *
 * The owner stores a task in the array, then raises `bottom`.  A thief looks at
 * `bottom`, then at the array.  The new `bottom` may be there before the task.
 *
 * To the user: a thief runs a task that was never given: a null pointer, or one
 * that ran long ago.
 *
 *   broken: pso
 *   failure: through a null pointer
 *   fixed: pslo
 *   fence: ss after atomic_store_explicit(&array[b]
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int job;
static atomic_long top, bottom;
static int *_Atomic array[2];

/* push. */
static void *owner(void *unused)
{
    (void)unused;
    long b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&array[b], &job, memory_order_relaxed);
#ifdef FIXED
    atomic_thread_fence(memory_order_release);
#endif
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return NULL;
}

/* steal. */
static void *thief(void *unused)
{
    (void)unused;
    long t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    long b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return NULL;
    int *task = atomic_load_explicit(&array[t], memory_order_relaxed);
    if (atomic_compare_exchange_strong(&top, &t, t + 1))
        *task = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
