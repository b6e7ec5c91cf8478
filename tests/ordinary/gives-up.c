/* SPDX-License-Identifier: MIT
 *
 * A look at a flag, three times and no more, with the number of looks in a
 * struct that a helper counts up.  Who gives up acts on it: that is no loop
 * that waits.
 *
 * verify:            sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify:            arm yes, riscv yes
 * verify -DPATIENT:  sc no, tso no, pso no, pslo no, c11 no
 * verify -DPATIENT:  arm no, riscv no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct watch {
    int looks;
};

static atomic_bool ready;

static bool look(struct watch *w)
{
    w->looks++;
    return atomic_load(&ready);
}

static void *waiter(void *unused)
{
    struct watch w = {0};

    while (!look(&w) && w.looks < 3)
        ;
#ifndef PATIENT
    assert(w.looks < 3);
#else
    assert(w.looks <= 3);
#endif
    return unused;
}

static void *setter(void *unused)
{
    atomic_store(&ready, true);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
