/* SPDX-License-Identifier: MIT
 *
 * A sequence lock with several writers, who take it by CAS, and a reader that
 * checks the number with fetch_add(0), which nothing before it may pass.
 * -DBROKEN: the last look is an ordinary acquire load; it stops nothing that is
 * before it.
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

static atomic_uint seq;
static atomic_int low, high;

static bool write_pair(int v)
{
    unsigned s = atomic_load_explicit(&seq, memory_order_relaxed);

    if (s & 1)
        return false;
    if (!atomic_compare_exchange_strong_explicit(
            &seq, &s, s + 1, memory_order_acquire, memory_order_relaxed))
        return false;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&low, v, memory_order_relaxed);
    atomic_store_explicit(&high, v, memory_order_relaxed);
    atomic_store_explicit(&seq, s + 2, memory_order_release);
    return true;
}

static bool read_pair(int *l, int *h)
{
    unsigned s1 = atomic_load_explicit(&seq, memory_order_acquire);

    if (s1 & 1)
        return false;
    *l = atomic_load_explicit(&low, memory_order_relaxed);
    *h = atomic_load_explicit(&high, memory_order_relaxed);
#ifdef BROKEN
    unsigned s2 = atomic_load_explicit(&seq, memory_order_acquire);
#else
    unsigned s2 = atomic_fetch_add_explicit(&seq, 0, memory_order_release);
#endif
    return s1 == s2;
}

static void *first_writer(void *p)
{
    while (!write_pair(1))
        ;
    return p;
}

static void *second_writer(void *p)
{
    while (!write_pair(2))
        ;
    return p;
}

static void *reader(void *p)
{
    int l, h;

    while (!read_pair(&l, &h))
        ;
    assert(l == h);
    return p;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], NULL, first_writer, NULL);
    pthread_create(&t[1], NULL, second_writer, NULL);
    pthread_create(&t[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
