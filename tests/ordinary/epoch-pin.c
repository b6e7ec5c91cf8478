/* SPDX-License-Identifier: MIT
 *
 * Epochs with pins: who reads announces the epoch, and memory is freed after
 * two advances.  -DBROKEN: no fence between the announcement and the first
 * look.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no, power no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes, power yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define THREADS 2
static atomic_uint global_epoch = 2;
static struct local {
    atomic_uint epoch;
    char pad[60];
} locals[THREADS];
struct thing {
    int alive;
};

static struct thing *_Atomic shared;

static void pin(struct local *l)
{
    unsigned e = atomic_load_explicit(&global_epoch, memory_order_relaxed);
    atomic_store_explicit(&l->epoch, e | 1u, memory_order_relaxed);
#ifndef BROKEN
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void unpin(struct local *l)
{
    atomic_store_explicit(&l->epoch, 0, memory_order_release);
}

static bool try_advance(void)
{
    unsigned e = atomic_load_explicit(&global_epoch, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    for (int i = 0; i < THREADS; i++) {
        unsigned le =
            atomic_load_explicit(&locals[i].epoch, memory_order_relaxed);
        if ((le & 1) && (le & ~1u) != e)
            return false;
    }
    atomic_thread_fence(memory_order_acquire);
    atomic_store_explicit(&global_epoch, e + 2, memory_order_release);
    return true;
}

static void *reader(void *a)
{
    struct local *me = &locals[0];
    pin(me);
    struct thing *t = atomic_load_explicit(&shared, memory_order_acquire);
    if (t)
        assert(t->alive == 1);
    unpin(me);
    return a;
}

static void *reclaimer(void *a)
{
    struct local *me = &locals[1];
    pin(me);
    struct thing *t =
        atomic_exchange_explicit(&shared, NULL, memory_order_acq_rel);
    unpin(me);
    if (try_advance() && try_advance()) {
        t->alive = 0;
        free(t);
    }
    return a;
}

int main(void)
{
    pthread_t r, u;
    struct thing *t = malloc(sizeof *t);
    t->alive = 1;
    atomic_store(&shared, t);
    pthread_create(&r, 0, reader, 0);
    pthread_create(&u, 0, reclaimer, 0);
    pthread_join(r, 0);
    pthread_join(u, 0);
    return 0;
}
