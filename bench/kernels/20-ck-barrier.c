/* SPDX-License-Identifier: MIT
 *
 * Concurrency Kit, the combining barrier: issue 124, on a POWER9 with 176
 * threads.
 *
 * The last to arrive resets the count of arrivals, then flips the sense, for
 * which the others wait.  If the flip overtakes the reset, a thread runs ahead
 * to the next barrier and is counted on top of the old arrivals; then the reset
 * comes and forgets it.
 *
 * To the user: threads wait in the barrier for ever.
 *
 * -DFIXED has the fence between the two on every path.
 *
 *   broken: pso
 *   failure: livelock
 *   fixed: pslo
 *   fence: ss before atomic_store_explicit(&sense
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 2

static atomic_uint arrived, sense;

static void barrier(unsigned round)
{
    if (atomic_fetch_add_explicit(&arrived, 1, memory_order_acq_rel) + 1 ==
        THREADS) {
        atomic_store_explicit(&arrived, 0, memory_order_relaxed);
#ifdef FIXED
        atomic_thread_fence(memory_order_seq_cst);
#endif
        atomic_store_explicit(&sense, round, memory_order_relaxed);
        return;
    }
    while (atomic_load_explicit(&sense, memory_order_acquire) != round)
        ;
}

static void *thread(void *unused)
{
    (void)unused;
    barrier(1);
    barrier(2);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
