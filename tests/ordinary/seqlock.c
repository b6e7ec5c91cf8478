/* SPDX-License-Identifier: MIT
 *
 * A sequence lock: readers copy into a struct and try again if a writer came
 * between.  -DBROKEN: nothing keeps the data after the odd number, so PSO may
 * show one of the two words to a reader that sees no writer.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct point {
    int x, y;
};

static atomic_uint sequence;
static atomic_int x, y;

static void write_point(struct point p)
{
    unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);

    atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
#ifndef BROKEN
    atomic_thread_fence(memory_order_release);
#endif
    atomic_store_explicit(&x, p.x, memory_order_relaxed);
    atomic_store_explicit(&y, p.y, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 2, memory_order_release);
}

static struct point read_point(void)
{
    struct point p;
    unsigned before, after;

    do {
        before = atomic_load_explicit(&sequence, memory_order_acquire);
        p.x = atomic_load_explicit(&x, memory_order_relaxed);
        p.y = atomic_load_explicit(&y, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&sequence, memory_order_relaxed);
    } while (before != after || before & 1);
    return p;
}

static void *writer(void *unused)
{
    write_point((struct point){1, 1});
    write_point((struct point){2, 2});
    return unused;
}

static void *reader(void *unused)
{
    struct point p = read_point();

    assert(p.x == p.y);
    return unused;
}

int main(void)
{
    pthread_t w, r;

    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
