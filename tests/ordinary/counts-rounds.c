/* SPDX-License-Identifier: MIT
 *
 * A loop that counts its rounds, and says how many there were.  -DBOUND: it
 * gives up after three, and may say any number up to that.
 *
 * verify:          sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify:          arm yes, riscv yes
 * verify -DLOCAL:  sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DLOCAL:  arm yes, riscv yes
 * verify -DBOUND:  sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBOUND:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int flag;

static void count(long *rounds)
{
    ++*rounds;
}

static void *watcher(void *unused)
{
    long rounds = 0;

    (void)unused;
#ifdef BOUND
    for (; rounds < 3 && !atomic_load(&flag); rounds++)
        ;
    (void)count;
#else
    while (!atomic_load(&flag))
#ifdef LOCAL
        rounds++;
    (void)count;
#else
        count(&rounds);
#endif
#endif
    return (void *)(intptr_t)rounds;
}

int main(void)
{
    pthread_t t;
    void *rounds;

    pthread_create(&t, NULL, watcher, NULL);
    atomic_store(&flag, 1);
    pthread_join(t, &rounds);
#ifdef BOUND
    assert((intptr_t)rounds == 0 || (intptr_t)rounds == 3);
#else
    assert((intptr_t)rounds == 0);
#endif
    return 0;
}
