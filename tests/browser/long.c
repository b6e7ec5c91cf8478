/* SPDX-License-Identifier: MIT
 *
 * Ten thousand steps, and store buffering at their end: how the page of a long
 * execution opens and scrolls.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 1500
#endif

static _Atomic int left_count, right_count;
static atomic_int left_flag, right_flag;
static int left_saw, right_saw;
static long table[ROUNDS];

static void *left(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        table[i] = i;
        atomic_store_explicit(&left_count, i, memory_order_relaxed);
    }
    atomic_store_explicit(&left_flag, 1, memory_order_relaxed);
    left_saw = atomic_load_explicit(&right_flag, memory_order_relaxed);
    return NULL;
}

static void *right(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        long there = table[i];

        atomic_store_explicit(&right_count, there != 0, memory_order_relaxed);
    }
    atomic_store_explicit(&right_flag, 1, memory_order_relaxed);
    right_saw = atomic_load_explicit(&left_flag, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(left_saw == 1 || right_saw == 1);
    return 0;
}
