/* SPDX-License-Identifier: MIT
 *
 * The work-stealing deque of Chase and Lev, taking one's own work: Filament
 * pull request 1353, and many a first translation of the paper.
 *
 * The owner takes from the bottom: it lowers `bottom`, then looks at `top`.  If
 * there is more than one task left, that is all.  Thieves take from the top and
 * look at `bottom`.  The owner's look may overtake its store: thieves go on to
 * the task that it takes.
 *
 * To the user: a task runs twice, or a garbage collector marks garbage.
 *
 *   broken: tso
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: sl after atomic_store_explicit(&bottom, b
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
    long b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
#ifdef FIXED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    long t = atomic_load_explicit(&top, memory_order_relaxed);
    if (t < b) {
        take_task(b);
        return NULL;
    }
    if (t == b && atomic_compare_exchange_strong(&top, &t, t + 1))
        take_task(b);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return NULL;
}

static void steal(void)
{
    long t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    long b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t < b && atomic_compare_exchange_strong(&top, &t, t + 1))
        take_task(t);
}

static void *thief(void *unused)
{
    (void)unused;
    steal();
    steal();
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
