/* SPDX-License-Identifier: MIT
 *
 * A back-off that pauses, then yields, then sleeps longer and longer, with its
 * step in a struct.  -DBROKEN: the lock is let go by a relaxed store.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

struct backoff {
    unsigned step;
};

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int hits;

static void backoff_wait(struct backoff *b)
{
    if (b->step < 6) {
        for (unsigned i = 0; i < 1u << b->step; i++)
            __asm__ volatile("pause");
    } else if (b->step < 10) {
        sched_yield();
    } else {
        struct timespec ts = {0, 1000L << (b->step > 16 ? 6 : b->step - 10)};

        nanosleep(&ts, NULL);
    }
    b->step++;
}

static void *hit(void *unused)
{
    struct backoff b = {0};

    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        backoff_wait(&b);
    hits++;
#ifdef BROKEN
    atomic_flag_clear_explicit(&lock, memory_order_relaxed);
#else
    atomic_flag_clear_explicit(&lock, memory_order_release);
#endif
    return unused;
}

int main(void)
{
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, hit, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(hits == 3);
    return 0;
}
