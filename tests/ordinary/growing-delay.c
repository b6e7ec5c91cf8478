/* SPDX-License-Identifier: MIT
 *
 * A test-and-set lock whose delay grows without a limit, in a loop with a
 * volatile count, asleep (-DASLEEP), or kept in an object (-DOBJECT).
 * -DBROKEN: taking it does not acquire.  -DTOLD: how long the delay has become
 * is the result, and one caller relies on not having waited.
 *
 * verify:            sc no, tso no, pso no, pslo no, c11 no
 * verify:            arm no, riscv no
 * verify -DASLEEP:   sc no, tso no, pso no, pslo no, c11 no
 * verify -DASLEEP:   arm no, riscv no
 * verify -DOBJECT:   sc no, tso no, pso no, pslo no, c11 no
 * verify -DOBJECT:   arm no, riscv no
 * verify -DBROKEN:   sc no, tso no, pso no, pslo yes, c11 yes
 * verify -DBROKEN:   arm yes, riscv yes
 * verify -DTOLD:     sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DTOLD:     arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#ifdef BROKEN
#define TAKE memory_order_relaxed
#else
#define TAKE memory_order_acquire
#endif

struct delay {
    unsigned now, limit;
};

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int counter;

static void wait_for(unsigned n)
{
#ifdef ASLEEP
    usleep(n);
#else
    for (volatile unsigned i = 0; i < n; i++)
        ;
#endif
}

static void wait_longer(struct delay *d)
{
    wait_for(d->now);
    if (d->now < d->limit)
        d->now *= 2;
}

static unsigned lock(void)
{
    struct delay d = {1, 4};
    unsigned n = 1;

    while (atomic_flag_test_and_set_explicit(&taken, TAKE)) {
#if defined OBJECT || defined TOLD
        wait_longer(&d);
#else
        wait_for(n);
        n *= 2;
#endif
    }
#ifdef TOLD
    n = d.now;
#else
    (void)wait_longer;
    n = 1;
#endif
    return n;
}

static void *work(void *unused)
{
    unsigned delay = lock();

    assert(delay == 1);
    counter++;
    atomic_flag_clear_explicit(&taken, memory_order_release);
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
