/* SPDX-License-Identifier: MIT
 *
 * The work-stealing deque of Chase and Lev with an array that grows: Julia's
 * garbage collector, pull request 55629.
 *
 * The owner copies its tasks into a larger array and publishes that with a
 * release store.  A thief reads the array's address, then a task from it.  The
 * algorithm asks for a consume load there, which had become relaxed.
 *
 * To the user: nothing so far.  The task's address is computed from what the
 * first load returned, which keeps the two in order on every machine but Alpha.
 * The compiler is another matter: C11 has no such rule.
 *
 *   broken: pslo
 *   failure: through a null pointer
 *   fixed: pslo
 *   fence: ll before int *task =
 *   alpha: true
 *   verify: arm right, riscv right, power right, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef FIXED
#define READ memory_order_acquire
#else
#define READ memory_order_relaxed
#endif

static int job;
static int *_Atomic small[1] = {&job};
static int *_Atomic *_Atomic array = small;
static atomic_long top, bottom = 1;

/* push, which finds the array full. */
static void *owner(void *unused)
{
    int *_Atomic *large = calloc(2, sizeof *large);

    (void)unused;
    atomic_store_explicit(&large[0], &job, memory_order_relaxed);
    atomic_store_explicit(&array, large, memory_order_release);
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
    int *_Atomic *tasks = atomic_load_explicit(&array, READ);
    int *task = atomic_load_explicit(&tasks[t], memory_order_relaxed);
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
