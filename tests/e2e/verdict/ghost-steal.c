/* SPDX-License-Identifier: MIT
 *
 * The deque of Chase and Lev, whose thief may read `bottom` first, as in
 * bench/kernels/22c-chase-lev-steal.c, with ghosts for what is taken: on PSLO a
 * task is taken twice, and C11, which does not have the ghosts, is left out.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include <fencer.h>

static atomic_long top, bottom = 2; /* two tasks wait */
static fencer_ghost int taken[2];

static void take_task(long number)
{
    assert(taken[number]++ == 0);
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
