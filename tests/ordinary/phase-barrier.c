/* SPDX-License-Identifier: MIT
 *
 * A counter barrier with a generation number, used twice: the last to come
 * resets the count and opens the next generation.  -DBROKEN: the generation is
 * opened by a relaxed store, and the reset count may come later.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct barrier {
    unsigned total;
    atomic_uint left;
    atomic_uint generation;
} barrier_t;

static barrier_t b = {.total = 2, .left = 2};
static int grid[2][2];

static void barrier_wait(barrier_t *bar)
{
    unsigned gen = atomic_load_explicit(&bar->generation, memory_order_relaxed);

    if (atomic_fetch_sub_explicit(&bar->left, 1, memory_order_acq_rel) == 1) {
        atomic_store_explicit(&bar->left, bar->total, memory_order_relaxed);
#ifdef BROKEN
        atomic_store_explicit(&bar->generation, gen + 1, memory_order_relaxed);
#else
        atomic_store_explicit(&bar->generation, gen + 1, memory_order_release);
#endif
        return;
    }
    while (atomic_load_explicit(&bar->generation, memory_order_acquire) == gen)
        __builtin_ia32_pause();
}

static void *row(void *arg)
{
    int me = *(int *)arg;

    grid[0][me] = me + 1;
    barrier_wait(&b);
    grid[1][me] = grid[0][0] + grid[0][1];
    barrier_wait(&b);
    if (grid[1][1 - me] != 3)
        abort();
    return NULL;
}

int main(void)
{
    pthread_t t;
    int zero = 0, one = 1;

    pthread_create(&t, NULL, row, &one);
    row(&zero);
    pthread_join(t, NULL);
    return 0;
}
