/* SPDX-License-Identifier: MIT
 *
 * A ring with one publisher and two consumers in a chain, as LMAX' disruptor:
 * each waits for the sequence of the one before it.  -DBROKEN: the first
 * consumer moves its sequence relaxed.  -DLAST: the last one does, what it read
 * being looked at before that.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no, power no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes, power yes
 * verify -DLAST:  sc no, tso no, pso no, pslo no, c11 yes
 * verify -DLAST:  arm no, riscv no, power no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define FIRST_ORDER memory_order_relaxed
#else
#define FIRST_ORDER memory_order_release
#endif
#ifdef LAST
#define LAST_ORDER memory_order_relaxed
#else
#define LAST_ORDER memory_order_release
#endif
#define SIZE 2
#define MASK (SIZE - 1)
#define EVENTS 3
struct event {
    long in;
    long out;
};

typedef struct {
    _Atomic long value;
    char pad[56];
} sequence_t;

static struct event buffer[SIZE];
static sequence_t cursor = {-1}, journal = {-1}, business = {-1};
static long wait_for(sequence_t *s, long n)
{
    long v;
    while ((v = atomic_load_explicit(&s->value, memory_order_acquire)) < n)
        ;
    return v;
}

static void *publisher(void *a)
{
    for (long n = 0; n < EVENTS; n++) {
        wait_for(&business, n - SIZE);
        buffer[n & MASK].in = n + 1;
        atomic_store_explicit(&cursor.value, n, memory_order_release);
    }
    return a;
}

static void *journaller(void *a)
{
    for (long n = 0; n < EVENTS; n++) {
        wait_for(&cursor, n);
        buffer[n & MASK].out = buffer[n & MASK].in * 2;
        atomic_store_explicit(&journal.value, n, FIRST_ORDER);
    }
    return a;
}

static void *logic(void *a)
{
    for (long n = 0; n < EVENTS; n++) {
        wait_for(&journal, n);
        assert(buffer[n & MASK].in == n + 1);
        assert(buffer[n & MASK].out == 2 * (n + 1));
        atomic_store_explicit(&business.value, n, LAST_ORDER);
    }
    return a;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, publisher, 0);
    pthread_create(&t[1], 0, journaller, 0);
    pthread_create(&t[2], 0, logic, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
