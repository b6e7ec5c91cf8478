/* SPDX-License-Identifier: MIT
 *
 * Concurrency Kit, the combining barrier: issue 124, on a POWER9 with 176
 * threads.
 *
 * The last to arrive lets the others go by flipping the sense.  Who is not the
 * last has a full fence, then waits for that.  After the wait, and for the
 * last one at all, there is none: what a thread reads after the barrier may
 * have been read before it.
 *
 * To the user: "FAILED [108:515692]: 177406 != 176" from the library's own
 * test; a program reads data of the phase before.
 *
 * -DFIXED has the fence at the end, on both paths.  On TSO to PSLO that is all,
 * since two RMWs of a thread stay in order.  ARM, RISC-V, POWER and C11 let
 * what precedes the barrier come after the counting, unless a fence is before
 * that, too, which the library did not have when this was written: -DFIXED_C11.
 *
 *   broken: pslo
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ll before int seen =
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED -DFIXED_C11: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define THREADS 2

static atomic_uint count, sense;
static atomic_int arrived; /* what the test counts */

/* ck_barrier_combining, with one group. */
static void barrier(void)
{
#ifdef FIXED_C11
    atomic_thread_fence(memory_order_release);
#endif
    if (atomic_fetch_add_explicit(&count, 1, memory_order_relaxed) ==
        THREADS - 1) {
        atomic_store_explicit(&count, 0, memory_order_relaxed);
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&sense, 1, memory_order_relaxed);
    } else {
        atomic_thread_fence(memory_order_seq_cst);
        while (atomic_load_explicit(&sense, memory_order_relaxed) != 1)
            ;
    }
#ifdef FIXED
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void *thread(void *unused)
{
    (void)unused;
    atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed);
    barrier();
    int seen = atomic_load_explicit(&arrived, memory_order_relaxed);
    assert(seen == THREADS);
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
