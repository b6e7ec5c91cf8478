/* SPDX-License-Identifier: MIT
 *
 * Store buffering with the fences of <immintrin.h>: only _mm_mfence() keeps a
 * load after a store.
 *
 * expect: 1 assertion failed
 * fixed: 0
 * options: --model sc,tso,pso --runs 3000
 */
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <stddef.h>

#ifdef FIXED
#define fence _mm_mfence
#else
#define fence _mm_sfence
#endif

static volatile int x, y;
static int left_saw, right_saw;

static void *left(void *argument)
{
    x = 1;
    fence();
    left_saw = y;
    return argument;
}

static void *right(void *argument)
{
    y = 1;
    fence();
    right_saw = x;
    return argument;
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
