/* SPDX-License-Identifier: MIT
 *
 * A sense-reversing barrier, twice.  -DBROKEN: the last thread lets the others
 * go by a relaxed store, which PSO may show before the count is set again: then
 * somebody waits for ever.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef BROKEN
#define LET_GO memory_order_relaxed
#else
#define LET_GO memory_order_release
#endif

#define THREADS 2

static struct barrier {
    atomic_int left;
    atomic_bool sense;
} barrier = {THREADS, false};
static int done[THREADS];

static void barrier_wait(struct barrier *b, bool *sense)
{
    *sense = !*sense;
    if (atomic_fetch_sub_explicit(&b->left, 1, memory_order_acq_rel) == 1) {
        atomic_store_explicit(&b->left, THREADS, memory_order_relaxed);
        atomic_store_explicit(&b->sense, *sense, LET_GO);
        return;
    }
    while (atomic_load_explicit(&b->sense, memory_order_acquire) != *sense)
        __builtin_ia32_pause();
}

static void *work(void *number)
{
    int me = *(const int *)number;
    bool sense = false;

    done[me] = 1;
    barrier_wait(&barrier, &sense);
    assert(done[1 - me] == 1);
    barrier_wait(&barrier, &sense);
    return NULL;
}

int main(void)
{
    static const int numbers[] = {0, 1};
    pthread_t t[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, (void *)&numbers[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
