/* SPDX-License-Identifier: MIT
 *
 * A load of both halves takes one from a store of its own that still waits.
 * Nothing fails, but SC has no such execution.  SB: each thread writes its
 * half; else the other writes both, between the store and the load.  FENCED:
 * never.
 */
#include <fencer.h>
#include <pthread.h>
#include <stdint.h>

static union {
    volatile uint64_t whole;
    volatile uint32_t half[2];
} pair;

#ifdef FENCED
#define FENCE() fencer_fence_full()
#else
#define FENCE() ((void)0)
#endif

static void *first(void *argument)
{
    pair.half[0] = 1;
    FENCE();
    (void)pair.whole;
    return argument;
}

static void *second(void *argument)
{
#ifdef SB
    pair.half[1] = 1;
    FENCE();
    (void)pair.whole;
#else
    pair.whole = 0x200000002;
#endif
    return argument;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
