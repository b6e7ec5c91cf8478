/* SPDX-License-Identifier: MIT
 *
 * A snapshot of two variables: both are read until two looks in a row, each in
 * an array of its own, are the same.  -DBROKEN: the loads are relaxed, and PSLO
 * may read the second before the first, twice.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#ifdef BROKEN
#define LOOK memory_order_relaxed
#else
#define LOOK memory_order_acquire
#endif

static atomic_int values[2];

static void collect(int *to)
{
    for (int i = 0; i < 2; i++)
        to[i] = atomic_load_explicit(&values[i], LOOK);
}

static void snapshot(int *to)
{
    int first[2], second[2];

    do {
        collect(first);
        collect(second);
    } while (memcmp(first, second, sizeof first) != 0);
    memcpy(to, second, sizeof second);
}

static void *writer(void *unused)
{
    for (int round = 1; round <= 2; round++)
        for (int i = 0; i < 2; i++)
            atomic_store_explicit(&values[i], round, memory_order_release);
    return unused;
}

static void *reader(void *unused)
{
    int seen[2];

    snapshot(seen);
    assert(seen[0] >= seen[1]);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
