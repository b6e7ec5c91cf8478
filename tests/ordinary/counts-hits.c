/* SPDX-License-Identifier: MIT
 *
 * Two looks and no more; most rounds leave nothing behind, but those that see
 * the flag are counted.  A first look in vain and then a hit make one.
 *
 * verify:          sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify:          arm yes, riscv yes
 * verify -DRIGHT:  sc no, tso no, pso no, pslo no, c11 no
 * verify -DRIGHT:  arm no, riscv no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *watcher(void *unused)
{
    int hits = 0;

    for (int i = 0; i < 2; i++)
        if (atomic_load(&flag))
            hits++;
#ifdef RIGHT
    assert(hits >= 0 && hits <= 2);
#else
    assert(hits != 1);
#endif
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, watcher, NULL);
    atomic_store(&flag, 1);
    pthread_join(t, NULL);
    return 0;
}
