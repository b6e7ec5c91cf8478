/* SPDX-License-Identifier: MIT
 *
 * A counting semaphore by compare-and-swap, with a helper that leaves what it
 * saw in the caller's variable.  -DBROKEN: down does not acquire, and PSLO may
 * read the buffer too early.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <threads.h>

#ifdef BROKEN
#define DOWN memory_order_relaxed
#else
#define DOWN memory_order_acquire
#endif

static atomic_int units;
static int buffer[2];

static bool try_down(atomic_int *s, int *seen)
{
    while (*seen > 0)
        if (atomic_compare_exchange_weak_explicit(s, seen, *seen - 1, DOWN,
                                                  memory_order_relaxed))
            return true;
    return false;
}

static void down(atomic_int *s)
{
    for (;;) {
        int seen = atomic_load_explicit(s, memory_order_relaxed);

        if (try_down(s, &seen))
            return;
        thrd_yield();
    }
}

static void up(atomic_int *s)
{
    atomic_fetch_add_explicit(s, 1, memory_order_release);
}

static void *producer(void *unused)
{
    for (int i = 0; i < 2; i++) {
        buffer[i] = i + 1;
        up(&units);
    }
    return unused;
}

static void *consumer(void *unused)
{
    for (int i = 0; i < 2; i++) {
        down(&units);
        assert(buffer[i] == i + 1);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
