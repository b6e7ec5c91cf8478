/* SPDX-License-Identifier: MIT
 *
 * A fence by signal, as liburcu had one: the slow side sends a signal to the
 * fast one, whose handler fences and says so.  Without the fence in the handler
 * the answer may overtake the store on PSO.
 *
 * expect: 1 assertion
 * fixed: 0
 * options: --model sc,tso,pso,pslo --runs 3000
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int fast, slow, fenced;
static int fast_saw, slow_saw;

static void handler(int number)
{
    (void)number;
#ifdef FIXED
    atomic_thread_fence(memory_order_seq_cst);
#endif
    atomic_store_explicit(&fenced, 1, memory_order_relaxed);
}

static void *fast_side(void *none)
{
    atomic_store_explicit(&fast, 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    fast_saw = atomic_load_explicit(&slow, memory_order_relaxed);
    while (!atomic_load(&fenced))
        ;
    return none;
}

int main(void)
{
    struct sigaction a = {.sa_handler = handler};
    pthread_t t;

    sigaction(SIGUSR1, &a, NULL);
    pthread_create(&t, NULL, fast_side, NULL);
    atomic_store(&slow, 1);
    assert(!pthread_kill(t, SIGUSR1));
    while (!atomic_load(&fenced))
        ;
    slow_saw = atomic_load(&fast);
    pthread_join(t, NULL);
    assert(fast_saw || slow_saw);
    return 0;
}
