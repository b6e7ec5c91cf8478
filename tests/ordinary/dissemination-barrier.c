/* SPDX-License-Identifier: MIT
 *
 * The dissemination barrier for three threads in two rounds: in round r thread
 * i tells thread i + 2^r.  -DBROKEN: the flags are relaxed stores.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 3
#define ROUNDS 2

static struct {
    atomic_int flag[ROUNDS];
} nodes[N];

static int part[N];

static void barrier(int me)
{
    for (int r = 0; r < ROUNDS; r++) {
        int partner = (me + (1 << r)) % N;
#ifdef BROKEN
        atomic_store_explicit(&nodes[partner].flag[r], 1, memory_order_relaxed);
#else
        atomic_store_explicit(&nodes[partner].flag[r], 1, memory_order_release);
#endif
        while (!atomic_load_explicit(&nodes[me].flag[r], memory_order_acquire))
            ;
    }
}

static void *worker(void *arg)
{
    int me = (int)(intptr_t)arg;
    int sum = 0;

    part[me] = me + 1;
    barrier(me);
    for (int i = 0; i < N; i++)
        sum += part[i];
    assert(sum == 6);
    return 0;
}

int main(void)
{
    pthread_t t[N];

    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
