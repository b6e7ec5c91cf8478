/* SPDX-License-Identifier: MIT
 *
 * Initialised once, with a futex: 0 new, 1 under way, 2 and somebody waits, 3
 * done. -DBROKEN: done is stored without release.  -DREADER: it is loaded
 * relaxed.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no, power no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes, power yes
 * verify -DREADER:  sc no, tso no, pso no, pslo yes, c11 yes
 * verify -DREADER:  arm yes, riscv yes, power yes
 */
#define _GNU_SOURCE
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef BROKEN
#define DONE memory_order_relaxed
#else
#define DONE memory_order_release
#endif
#ifdef READER
#define LOOK memory_order_relaxed
#else
#define LOOK memory_order_acquire
#endif

static atomic_int once;
static int *table, storage[2];

static void init(void)
{
    storage[1] = 7;
    table = storage;
}

static void slow(void)
{
    for (;;) {
        int s = 0;
        if (atomic_compare_exchange_strong_explicit(&once, &s, 1, LOOK, LOOK)) {
            init();
            if (atomic_exchange_explicit(&once, 3, DONE) == 2)
                syscall(SYS_futex, &once, FUTEX_WAKE_PRIVATE, INT_MAX, NULL,
                        NULL, 0);
            return;
        }
        if (s == 3)
            return;
        if (s == 1 &&
            !atomic_compare_exchange_strong_explicit(
                &once, &s, 2, memory_order_relaxed, memory_order_relaxed))
            continue;
        syscall(SYS_futex, &once, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
    }
}

static int get(void)
{
    if (atomic_load_explicit(&once, LOOK) != 3)
        slow();
    return table[1];
}

static void *user(void *u)
{
    assert(get() == 7);
    return u;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, user, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
