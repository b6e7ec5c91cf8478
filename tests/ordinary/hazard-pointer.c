/* SPDX-License-Identifier: MIT
 *
 * A reader announces what it uses in a hazard pointer; a writer that replaced
 * it waits until nobody does, then frees it.  -DBROKEN: the announcement is not
 * seq_cst, so even TSO may keep it back while the reader looks again.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm no, riscv no
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN
#define ANNOUNCE memory_order_release
#else
#define ANNOUNCE memory_order_seq_cst
#endif

struct item {
    int value;
};

static struct item *_Atomic current, *_Atomic hazard;

static struct item *item_new(int value)
{
    struct item *i = malloc(sizeof *i);

    i->value = value;
    return i;
}

static struct item *protect(void)
{
    struct item *i;

    do {
        i = atomic_load(&current);
        atomic_store_explicit(&hazard, i, ANNOUNCE);
    } while (i != atomic_load(&current));
    return i;
}

static void *reader(void *unused)
{
    struct item *i = protect();

    assert(i->value == 1 || i->value == 2);
    atomic_store(&hazard, NULL);
    return unused;
}

static void *writer(void *unused)
{
    struct item *old = atomic_exchange(&current, item_new(2));

    while (atomic_load(&hazard) == old)
        sched_yield();
    free(old);
    return unused;
}

int main(void)
{
    pthread_t r, w;

    atomic_store(&current, item_new(1));
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    free(current);
    return 0;
}
