/* SPDX-License-Identifier: MIT
 *
 * A sequence lock whose reader is a function that tries once and fills what it
 * is given, even if it fails.  -DBROKEN: the reader's second look may come
 * before its copies, which only PSLO does.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct stats {
    long sent, received;
};

static atomic_uint version;
static atomic_long sent, received;

static bool try_snapshot(struct stats *s)
{
    unsigned v = atomic_load_explicit(&version, memory_order_acquire);

    s->sent = atomic_load_explicit(&sent, memory_order_relaxed);
    s->received = atomic_load_explicit(&received, memory_order_relaxed);
#ifndef BROKEN
    atomic_thread_fence(memory_order_acquire);
#endif
    return !(v & 1) &&
           atomic_load_explicit(&version, memory_order_relaxed) == v;
}

static void *updater(void *unused)
{
    atomic_store_explicit(&version, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&sent, 1, memory_order_relaxed);
    atomic_store_explicit(&received, 1, memory_order_relaxed);
    atomic_store_explicit(&version, 2, memory_order_release);
    return unused;
}

static void *monitor(void *unused)
{
    struct stats s;

    while (!try_snapshot(&s))
        sched_yield();
    assert(s.sent == s.received);
    return unused;
}

int main(void)
{
    pthread_t u, m;

    pthread_create(&u, NULL, updater, NULL);
    pthread_create(&m, NULL, monitor, NULL);
    pthread_join(u, NULL);
    pthread_join(m, NULL);
    return 0;
}
