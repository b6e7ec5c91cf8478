/* SPDX-License-Identifier: MIT
 *
 * User-space RCU with barriers: readers copy the phase into a counter of their
 * own, the writer flips the phase twice.  -DBROKEN: rcu_read_lock() without
 * smp_mb().
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define GP_COUNT 1ul
#define GP_PHASE 0x10000ul
#define NEST_MASK 0xfffful

#define smp_mb() atomic_thread_fence(memory_order_seq_cst)
#define load_shared(p) atomic_load_explicit(&(p), memory_order_relaxed)
#define store_shared(p, v)                                                     \
    atomic_store_explicit(&(p), (v), memory_order_relaxed)

static atomic_ulong rcu_gp_ctr = GP_COUNT;
static atomic_ulong rcu_reader_ctr;
static pthread_mutex_t gp_lock = PTHREAD_MUTEX_INITIALIZER;

static void rcu_read_lock(void)
{
    unsigned long tmp = load_shared(rcu_reader_ctr);

    if (!(tmp & NEST_MASK)) {
        store_shared(rcu_reader_ctr, load_shared(rcu_gp_ctr));
#ifndef BROKEN
        smp_mb();
#endif
    } else {
        store_shared(rcu_reader_ctr, tmp + GP_COUNT);
    }
}

static void rcu_read_unlock(void)
{
    smp_mb();
    store_shared(rcu_reader_ctr, load_shared(rcu_reader_ctr) - GP_COUNT);
}

static int ongoing(unsigned long v)
{
    return (v & NEST_MASK) && ((v ^ load_shared(rcu_gp_ctr)) & GP_PHASE);
}

static void update_counter_and_wait(void)
{
    store_shared(rcu_gp_ctr, load_shared(rcu_gp_ctr) ^ GP_PHASE);
    smp_mb();
    while (ongoing(load_shared(rcu_reader_ctr)))
        poll(NULL, 0, 1);
}

static void synchronize_rcu(void)
{
    smp_mb();
    pthread_mutex_lock(&gp_lock);
    update_counter_and_wait();
    smp_mb();
    update_counter_and_wait();
    pthread_mutex_unlock(&gp_lock);
    smp_mb();
}

struct foo {
    int a, b;
};

static _Atomic(struct foo *) gbl_foo;

static void *reader(void *arg)
{
    rcu_read_lock();
    struct foo *p = atomic_load_explicit(&gbl_foo, memory_order_acquire);
    assert(p->a == p->b);
    rcu_read_unlock();
    return arg;
}

static void *updater(void *arg)
{
    struct foo *n = malloc(sizeof(*n));
    struct foo *old = load_shared(gbl_foo);

    n->a = n->b = 2;
    atomic_store_explicit(&gbl_foo, n, memory_order_release);
    synchronize_rcu();
    free(old);
    return arg;
}

int main(void)
{
    pthread_t r, u;
    struct foo *f = malloc(sizeof(*f));

    f->a = f->b = 1;
    atomic_init(&gbl_foo, f);
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&u, NULL, updater, NULL);
    pthread_join(r, NULL);
    pthread_join(u, NULL);
    free(load_shared(gbl_foo));
    return 0;
}
