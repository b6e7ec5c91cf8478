/* SPDX-License-Identifier: MIT
 *
 * A ticket lock that can also be tried.  -DBROKEN: a successful try is relaxed,
 * and what the lock protects may be read from before.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct ticketlock {
    atomic_uint next;
    atomic_uint serving;
};

static struct ticketlock l;
static int stock = 5, sold;

static void tl_lock(struct ticketlock *t)
{
    unsigned me = atomic_fetch_add_explicit(&t->next, 1, memory_order_relaxed);

    while (atomic_load_explicit(&t->serving, memory_order_acquire) != me)
        ;
}

static bool tl_trylock(struct ticketlock *t)
{
#ifdef BROKEN
    unsigned s = atomic_load_explicit(&t->serving, memory_order_relaxed);
#else
    unsigned s = atomic_load_explicit(&t->serving, memory_order_acquire);
#endif

    return atomic_compare_exchange_strong_explicit(
        &t->next, &s, s + 1, memory_order_relaxed, memory_order_relaxed);
}

static void tl_unlock(struct ticketlock *t)
{
    unsigned s = atomic_load_explicit(&t->serving, memory_order_relaxed);

    atomic_store_explicit(&t->serving, s + 1, memory_order_release);
}

static void sell(void)
{
    stock--;
    sold++;
}

static void *patient(void *arg)
{
    tl_lock(&l);
    sell();
    tl_unlock(&l);
    return arg;
}

static void *hasty(void *arg)
{
    if (tl_trylock(&l)) {
        sell();
        assert(stock + sold == 5);
        tl_unlock(&l);
    }
    return arg;
}

int main(void)
{
    pthread_t p, h;

    pthread_create(&p, NULL, patient, NULL);
    pthread_create(&h, NULL, hasty, NULL);
    pthread_join(p, NULL);
    pthread_join(h, NULL);
    assert(stock + sold == 5);
    return 0;
}
