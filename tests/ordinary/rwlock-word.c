/* SPDX-License-Identifier: MIT
 *
 * A reader-writer lock in one word: a writer bit and a count of readers.
 * -DBROKEN: read_unlock is relaxed.  No machine here lets the reads sink below
 * the decrement, but the language does not forbid it.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo no, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define WRITER 0x80000000u

struct rwlock {
    _Atomic uint32_t state;
};

static struct rwlock lock;
static int price, tax;

static void read_lock(struct rwlock *l)
{
    uint32_t s = atomic_load_explicit(&l->state, memory_order_relaxed);

    for (;;) {
        if (s & WRITER) {
            s = atomic_load_explicit(&l->state, memory_order_relaxed);
            continue;
        }
        if (atomic_compare_exchange_weak_explicit(&l->state, &s, s + 1,
                                                  memory_order_acquire,
                                                  memory_order_relaxed))
            return;
    }
}

static void read_unlock(struct rwlock *l)
{
#ifdef BROKEN
    atomic_fetch_sub_explicit(&l->state, 1, memory_order_relaxed);
#else
    atomic_fetch_sub_explicit(&l->state, 1, memory_order_release);
#endif
}

static void write_lock(struct rwlock *l)
{
    uint32_t none = 0;

    while (!atomic_compare_exchange_weak_explicit(
        &l->state, &none, WRITER, memory_order_acquire, memory_order_relaxed))
        none = 0;
}

static void write_unlock(struct rwlock *l)
{
    atomic_fetch_and_explicit(&l->state, ~WRITER, memory_order_release);
}

static void *customer(void *arg)
{
    read_lock(&lock);
    int p = price, t = tax;
    read_unlock(&lock);
    assert(t == 2 * p);
    return arg;
}

static void *shop(void *arg)
{
    write_lock(&lock);
    price = 10;
    tax = 20;
    write_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], 0, customer, 0);
    pthread_create(&t[1], 0, customer, 0);
    pthread_create(&t[2], 0, shop, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
