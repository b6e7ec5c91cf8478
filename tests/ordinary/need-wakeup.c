/* SPDX-License-Identifier: MIT
 *
 * A submission ring whose poller may sleep, as io_uring's: it says that it
 * wants to be woken, and looks again.  -DBROKEN: the submitter has no fence
 * between its tail and its look at the flag, and the poller sleeps for ever.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no, power no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes, power yes
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#define NEED_WAKEUP 1u
static atomic_uint tail, flags;
static int sqe;
static sem_t wake;
static int done;

static void *app(void *u)
{
    sqe = 4;
    atomic_store_explicit(&tail, 1, memory_order_release);
#ifndef BROKEN
    atomic_thread_fence(memory_order_seq_cst);
#endif
    if (atomic_load_explicit(&flags, memory_order_relaxed) & NEED_WAKEUP)
        sem_post(&wake);
    return u;
}

static void *poller(void *u)
{
    while (atomic_load_explicit(&tail, memory_order_acquire) == 0) {
        atomic_fetch_or_explicit(&flags, NEED_WAKEUP, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst);
        if (atomic_load_explicit(&tail, memory_order_acquire) == 0)
            sem_wait(&wake);
        atomic_fetch_and_explicit(&flags, ~NEED_WAKEUP, memory_order_relaxed);
    }
    assert(sqe == 4);
    done = 1;
    return u;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&wake, 0, 0);
    pthread_create(&a, 0, app, 0);
    pthread_create(&b, 0, poller, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(done);
    return 0;
}
