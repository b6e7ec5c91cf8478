/* SPDX-License-Identifier: MIT
 *
 * Drepper's second futex mutex: 0 free, 1 taken, 2 taken and somebody may
 * sleep.  -DBROKEN: the unlocking exchange is relaxed.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct {
    atomic_int state;
} mutex_t;

static mutex_t m;
static int shared;

static void futex_wait(atomic_int *a, int v)
{
    syscall(SYS_futex, a, FUTEX_WAIT, v, NULL, NULL, 0);
}

static void futex_wake(atomic_int *a, int n)
{
    syscall(SYS_futex, a, FUTEX_WAKE, n, NULL, NULL, 0);
}

static void mutex_lock(mutex_t *mu)
{
    int c = 0;

    if (atomic_compare_exchange_strong_explicit(
            &mu->state, &c, 1, memory_order_acquire, memory_order_relaxed))
        return;
    if (c != 2)
        c = atomic_exchange_explicit(&mu->state, 2, memory_order_acquire);
    while (c != 0) {
        futex_wait(&mu->state, 2);
        c = atomic_exchange_explicit(&mu->state, 2, memory_order_acquire);
    }
}

static void mutex_unlock(mutex_t *mu)
{
#ifdef BROKEN
    int was = atomic_exchange_explicit(&mu->state, 0, memory_order_relaxed);
#else
    int was = atomic_exchange_explicit(&mu->state, 0, memory_order_release);
#endif

    if (was == 2)
        futex_wake(&mu->state, 1);
}

static void *worker(void *arg)
{
    mutex_lock(&m);
    shared++;
    mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(shared == 2);
    return 0;
}
