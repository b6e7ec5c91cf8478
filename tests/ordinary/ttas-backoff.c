/* SPDX-License-Identifier: MIT
 *
 * A test-and-test-and-set lock with an exponential back-off behind a struct.
 * -DBROKEN: the exchange does not acquire, and PSLO may read the counter before
 * it has the lock.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <immintrin.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BROKEN
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif

struct backoff {
    unsigned spins, limit;
};

static atomic_int locked;
static int counter;

static void backoff_wait(struct backoff *b)
{
    for (unsigned i = 0; i < b->spins; i++)
        _mm_pause();
    if (b->spins < b->limit)
        b->spins *= 2;
    else
        sched_yield();
}

static void lock(void)
{
    struct backoff b = {1, 1024};

    for (;;) {
        while (atomic_load_explicit(&locked, memory_order_relaxed))
            backoff_wait(&b);
        if (!atomic_exchange_explicit(&locked, 1, ACQUIRE))
            return;
    }
}

static void unlock(void)
{
    atomic_store_explicit(&locked, 0, memory_order_release);
}

static void *work(void *unused)
{
    lock();
    counter++;
    unlock();
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
