/* SPDX-License-Identifier: MIT
 *
 * The work-stealing deque of Chase and Lev, stealing.  So it happened, in the
 * similar deque of Arora, Blumofe and Plaxton, to parlaylib (pull request 54,
 * ParlayANN issue 44) and MPL (issue 212, pull request 214), on ARM.
 *
 * A thief reads `top`, then `bottom`.  If it read `bottom` first, it may still
 * see a task below it that the owner has taken since; the compare-and-swap that
 * follows looks at `top` alone.  It takes another thief, which moves `top`.
 *
 * To the user: a task runs twice.
 *
 *   broken: pslo
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ll after long t = atomic_load_explicit(&top, memory_order_relaxed);
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_long top, bottom = 2; /* two tasks wait */
static atomic_int taken[2];         /* how often */

static void take_task(long number)
{
    assert(atomic_fetch_add_explicit(&taken[number], 1, memory_order_relaxed) ==
           0);
}

static void *owner(void *unused)
{
    (void)unused;
    long b = 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    long seen = atomic_load_explicit(&top, memory_order_acquire);
    if (seen < b) {
        take_task(b);
        return NULL;
    }
    if (seen == b && atomic_compare_exchange_strong(&top, &seen, seen + 1))
        take_task(b);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return NULL;
}

static void *thief(void *unused)
{
    (void)unused;
    long t = atomic_load_explicit(&top, memory_order_relaxed);
#ifdef FIXED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    long b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t < b && atomic_compare_exchange_strong(&top, &t, t + 1))
        take_task(t);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, thief, NULL);
    pthread_create(&c, NULL, thief, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
