/* SPDX-License-Identifier: MIT
 *
 * A worker runs until it is told to stop, and leaves a summary; the main thread
 * polls for it instead of joining at once.  -DBROKEN: "finished" is set
 * relaxed.
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
#include <unistd.h>

static atomic_bool stop_requested, finished;
static struct {
    long jobs;
    long errors;
} summary;

static void *worker(void *arg)
{
    long jobs = 0;

    do {
        jobs = 1; /* a unit of work */
    } while (!atomic_load_explicit(&stop_requested, memory_order_relaxed));
    summary.jobs = jobs;
    summary.errors = -1;
#ifdef BROKEN
    atomic_store_explicit(&finished, true, memory_order_relaxed);
#else
    atomic_store_explicit(&finished, true, memory_order_release);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, worker, NULL);
    usleep(1000);
    atomic_store_explicit(&stop_requested, true, memory_order_relaxed);
    while (!atomic_load_explicit(&finished, memory_order_acquire))
        usleep(100);
    assert(summary.jobs == 1 && summary.errors == -1);
    pthread_join(t, NULL);
    return 0;
}
