/* SPDX-License-Identifier: MIT
 *
 * A lock made of a futex.  Without the wake-up a waiter sleeps for ever.
 *
 * expect: 1 lost wake-up
 * fixed: 0
 * options: --model tso,pso --runs 2000
 */
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word; /* 0 free, 1 taken, 2 somebody may wait */
static int inside;

static void lock(void)
{
    int seen = 0;

    if (atomic_compare_exchange_strong(&word, &seen, 1))
        return;
    while (atomic_exchange(&word, 2) != 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void unlock(void)
{
    if (atomic_exchange(&word, 0) == 2) {
#ifdef FIXED
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#endif
    }
}

static void *worker(void *none)
{
    for (int i = 0; i < 2; i++) {
        lock();
        assert(++inside == 1);
        --inside;
        unlock();
    }
    return none;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
