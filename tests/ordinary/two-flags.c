/* SPDX-License-Identifier: MIT
 *
 * Waits for two workers, with their flags in locals.  -DBROKEN: one of them is
 * read without acquire, and PSLO may read that worker's result too early.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef BROKEN
#define LOOK memory_order_relaxed
#else
#define LOOK memory_order_acquire
#endif

static int results[2];
static atomic_bool done[2];

static void *work(void *number)
{
    int me = *(const int *)number;

    results[me] = me + 1;
    atomic_store_explicit(&done[me], true, memory_order_release);
    return NULL;
}

int main(void)
{
    static const int numbers[] = {0, 1};
    bool first = false, second = false;
    pthread_t a, b;

    pthread_create(&a, NULL, work, (void *)&numbers[0]);
    pthread_create(&b, NULL, work, (void *)&numbers[1]);
    while (!first || !second) {
        first = atomic_load_explicit(&done[0], memory_order_acquire);
        second = atomic_load_explicit(&done[1], LOOK);
    }
    assert(results[0] + results[1] == 3);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
