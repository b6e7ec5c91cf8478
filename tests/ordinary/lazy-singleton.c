/* SPDX-License-Identifier: MIT
 *
 * A singleton without a lock: who finds none makes one and tries to install it,
 * and the loser throws its own away.  -DBROKEN: it is installed by a relaxed
 * CAS.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct registry {
    int version;
    int entries;
} registry_t;

static _Atomic(registry_t *) instance;

static registry_t *registry_get(void)
{
    registry_t *r = atomic_load_explicit(&instance, memory_order_acquire);

    if (r)
        return r;
    registry_t *mine = malloc(sizeof(registry_t));
    mine->version = 3;
    mine->entries = 0;
    if (atomic_compare_exchange_strong_explicit(&instance, &r, mine,
#ifdef BROKEN
                                                memory_order_relaxed,
#else
                                                memory_order_release,
#endif
                                                memory_order_acquire))
        return mine;
    free(mine);
    return r;
}

static void *user(void *arg)
{
    assert(registry_get()->version == 3);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_load(&instance));
    return 0;
}
