/* SPDX-License-Identifier: MIT
 *
 * A loop that counts its rounds, and says how many there were.
 *
 * verify:          sc yes, tso yes, pso yes, pslo yes
 * verify -DLOCAL:  sc yes, tso yes, pso yes, pslo yes
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
    while (!atomic_load(&flag))
#ifdef LOCAL
        rounds++;
    (void)count;
#else
        count(&rounds);
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
    assert((intptr_t)rounds == 0);
    return 0;
}
