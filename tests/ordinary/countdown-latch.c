/* SPDX-License-Identifier: MIT
 *
 * A latch: the main thread sleeps on a futex until everybody has counted down,
 * then reads what they left.  -DBROKEN: counting down is relaxed.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WORKERS 2

typedef struct {
    _Atomic int count;
} latch_t;

static latch_t latch = {WORKERS};
static int results[WORKERS];

static void latch_count_down(latch_t *l)
{
#ifdef BROKEN
    int old = atomic_fetch_sub_explicit(&l->count, 1, memory_order_relaxed);
#else
    int old = atomic_fetch_sub_explicit(&l->count, 1, memory_order_release);
#endif

    if (old == 1)
        syscall(SYS_futex, &l->count, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void latch_wait(latch_t *l)
{
    int c;

    while ((c = atomic_load_explicit(&l->count, memory_order_acquire)) != 0)
        syscall(SYS_futex, &l->count, FUTEX_WAIT, c, NULL, NULL, 0);
}

static void *work(void *arg)
{
    int *result = arg;

    *result = 21;
    latch_count_down(&latch);
    return NULL;
}

int main(void)
{
    pthread_t t[WORKERS];

    for (int i = 0; i < WORKERS; i++)
        pthread_create(&t[i], NULL, work, &results[i]);
    latch_wait(&latch);
    assert(results[0] + results[1] == 42);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
