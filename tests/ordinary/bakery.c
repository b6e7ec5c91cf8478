/* SPDX-License-Identifier: MIT
 *
 * Lamport's bakery for two customers.  -DBROKEN: acquire and release are
 * thought to be enough.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm no, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2

#ifdef BROKEN
#define LOAD(x) atomic_load_explicit(&(x), memory_order_acquire)
#define STORE(x, v) atomic_store_explicit(&(x), (v), memory_order_release)
#else
#define LOAD(x) atomic_load(&(x))
#define STORE(x, v) atomic_store(&(x), (v))
#endif

static atomic_int entering[N], number[N];
static int served;

static void lock(int i)
{
    int max = 0;

    STORE(entering[i], 1);
    for (int j = 0; j < N; j++) {
        int n = LOAD(number[j]);

        if (n > max)
            max = n;
    }
    STORE(number[i], max + 1);
    STORE(entering[i], 0);
    for (int j = 0; j < N; j++) {
        if (j == i)
            continue;
        while (LOAD(entering[j]))
            ;
        for (;;) {
            int theirs = LOAD(number[j]), mine = max + 1;

            if (theirs == 0 || theirs > mine || (theirs == mine && j > i))
                break;
        }
    }
}

static void unlock(int i)
{
    STORE(number[i], 0);
}

static void *customer(void *arg)
{
    int me = (int)(intptr_t)arg;

    lock(me);
    served = served + 1;
    unlock(me);
    return 0;
}

int main(void)
{
    pthread_t t[N];

    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], 0, customer, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    assert(served == N);
    return 0;
}
