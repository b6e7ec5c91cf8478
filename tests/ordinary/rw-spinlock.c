/* SPDX-License-Identifier: MIT
 *
 * A reader-writer spin lock in one word: -1 is a writer, else the number of
 * readers.  -DBROKEN: the writer's unlock is relaxed.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef BROKEN
#define UNLOCK memory_order_relaxed
#else
#define UNLOCK memory_order_release
#endif

static atomic_int state;
static int a, b;

static bool try_read_lock(int *seen)
{
    *seen = atomic_load_explicit(&state, memory_order_relaxed);
    return *seen >= 0 && atomic_compare_exchange_weak_explicit(
                             &state, seen, *seen + 1, memory_order_acquire,
                             memory_order_relaxed);
}

static void read_lock(void)
{
    int seen;

    while (!try_read_lock(&seen))
        if (seen < 0)
            sched_yield();
}

static void read_unlock(void)
{
    atomic_fetch_sub_explicit(&state, 1, memory_order_release);
}

static void write_lock(void)
{
    int expected;

    do {
        expected = 0;
    } while (!atomic_compare_exchange_weak_explicit(
        &state, &expected, -1, memory_order_acquire, memory_order_relaxed));
}

static void write_unlock(void)
{
    atomic_store_explicit(&state, 0, UNLOCK);
}

static void *writer(void *unused)
{
    write_lock();
    a++;
    b++;
    write_unlock();
    return unused;
}

static void *reader(void *unused)
{
    read_lock();
    assert(a == b);
    read_unlock();
    return unused;
}

int main(void)
{
    pthread_t w, r, s;

    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&s, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    pthread_join(s, NULL);
    return 0;
}
