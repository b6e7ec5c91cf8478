/* SPDX-License-Identifier: MIT
 *
 * RCU by quiescent states: a reader says after each round that it holds no
 * pointer, and the writer waits for that before it frees.  -DBROKEN: it says so
 * with a relaxed store.  No machine here lets a load sink below a store; the
 * language does.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo no, c11 yes
 * verify -DBROKEN:  arm no, riscv no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef BROKEN
#define QUIESCENT memory_order_relaxed
#else
#define QUIESCENT memory_order_release
#endif

struct route {
    int via;
};

static struct route *_Atomic gateway;
static atomic_ulong gp_counter = 1;
static atomic_ulong reader_counter;

static void rcu_quiescent_state(void)
{
    unsigned long now = atomic_load_explicit(&gp_counter, memory_order_acquire);

    atomic_store_explicit(&reader_counter, now, QUIESCENT);
    atomic_thread_fence(memory_order_acquire);
}

static void synchronize_rcu(void)
{
    unsigned long want =
        atomic_fetch_add_explicit(&gp_counter, 1, memory_order_release) + 1;

    while (atomic_load_explicit(&reader_counter, memory_order_acquire) < want)
        usleep(10);
}

static void *reader(void *unused)
{
    struct route *r = atomic_load_explicit(&gateway, memory_order_acquire);

    assert(r->via == 1 || r->via == 2);
    rcu_quiescent_state();
    r = atomic_load_explicit(&gateway, memory_order_acquire);
    assert(r->via == 1 || r->via == 2);
    /* Off line: nobody waits for it any more. */
    atomic_store_explicit(&reader_counter, ~0ul, memory_order_release);
    return unused;
}

static void *writer(void *unused)
{
    struct route *fresh = malloc(sizeof *fresh), *old;

    fresh->via = 2;
    old = atomic_load_explicit(&gateway, memory_order_relaxed);
    atomic_store_explicit(&gateway, fresh, memory_order_release);
    synchronize_rcu();
    free(old);
    return unused;
}

int main(void)
{
    pthread_t r, w;
    struct route *first = malloc(sizeof *first);

    first->via = 1;
    atomic_store(&gateway, first);
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    free(atomic_load(&gateway));
    return 0;
}
