/* SPDX-License-Identifier: MIT
 *
 * Store buffering, and a ghost that both threads count up in no order: neither
 * a processor nor C11 has that, and machines with store buffers do.
 */
#include <assert.h>
#include <fencer.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif

static atomic_int x, y;
static int left_saw, right_saw;
static fencer_ghost int looks;

static void *left(void *unused)
{
    atomic_store_explicit(&x, 1, ORDER);
    looks++;
    left_saw = atomic_load_explicit(&y, ORDER);
    return unused;
}

static void *right(void *unused)
{
    atomic_store_explicit(&y, 1, ORDER);
    looks++;
    right_saw = atomic_load_explicit(&x, ORDER);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(left_saw || right_saw);
    return 0;
}
