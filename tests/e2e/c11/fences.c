/* SPDX-License-Identifier: MIT
 *
 * Store buffering, each thread with a fence.  If all accesses are seq_cst the
 * fences change nothing; -DWEAK: in the other thread they are all there is,
 * which turns up late; -DNONE: without them; -DPLAIN: what they order is read
 * without atomics.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_seq_cst
#endif

static atomic_int x, y;
static int r1, r2, data;

static void fence(void)
{
#ifndef NONE
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void *first(void *unused)
{
    (void)unused;
    data = 1;
    atomic_store(&x, 1);
    fence();
    r1 = atomic_load(&y);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    atomic_store_explicit(&y, 1, ORDER);
    fence();
    r2 = atomic_load_explicit(&x, ORDER);
#ifdef PLAIN
    if (r2) {
        fence();
        assert(data == 1);
    }
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(r1 || r2);
    return 0;
}
