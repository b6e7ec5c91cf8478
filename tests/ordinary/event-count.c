/* SPDX-License-Identifier: MIT
 *
 * An event count: a consumer announces that it is about to sleep, looks again
 * and sleeps on the count; a producer wakes only if somebody announced.
 * -DBROKEN: the producer looks for waiters without a fence after its item, and
 * nobody is woken.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint epoch, waiters;
static atomic_int item;

static unsigned prepare_wait(void)
{
    atomic_fetch_add_explicit(&waiters, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    return atomic_load_explicit(&epoch, memory_order_acquire);
}

static void cancel_wait(void)
{
    atomic_fetch_sub_explicit(&waiters, 1, memory_order_relaxed);
}

static void commit_wait(unsigned key)
{
    while (atomic_load_explicit(&epoch, memory_order_acquire) == key)
        syscall(SYS_futex, &epoch, FUTEX_WAIT_PRIVATE, key, NULL, NULL, 0);
    atomic_fetch_sub_explicit(&waiters, 1, memory_order_relaxed);
}

static void notify(void)
{
#ifndef BROKEN
    atomic_thread_fence(memory_order_seq_cst);
#endif
    if (atomic_load_explicit(&waiters, memory_order_relaxed) == 0)
        return;
    atomic_fetch_add_explicit(&epoch, 1, memory_order_release);
    syscall(SYS_futex, &epoch, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *consumer(void *arg)
{
    int got;

    while ((got = atomic_load_explicit(&item, memory_order_acquire)) == 0) {
        unsigned key = prepare_wait();

        if (atomic_load_explicit(&item, memory_order_acquire)) {
            cancel_wait();
            continue;
        }
        commit_wait(key);
    }
    assert(got == 5);
    return arg;
}

static void *producer(void *arg)
{
    atomic_store_explicit(&item, 5, memory_order_release);
    notify();
    return arg;
}

int main(void)
{
    pthread_t c, p;

    pthread_create(&c, NULL, consumer, NULL);
    pthread_create(&p, NULL, producer, NULL);
    pthread_join(c, NULL);
    pthread_join(p, NULL);
    return 0;
}
