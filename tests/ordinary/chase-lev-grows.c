/* SPDX-License-Identifier: MIT
 *
 * The deque of Chase and Lev with an array that grows, as Le and others have it
 * for weak memory.  -DBROKEN: push has no fence.  -DARRAY: the larger array is
 * published without release.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no, power no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes, power yes
 * verify -DARRAY:   sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DARRAY:   arm yes, riscv yes, power yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BROKEN
#define PUBLISH() atomic_signal_fence(memory_order_release)
#else
#define PUBLISH() atomic_thread_fence(memory_order_release)
#endif
#ifdef ARRAY
#define ARRAY_ORDER memory_order_relaxed
#else
#define ARRAY_ORDER memory_order_release
#endif

typedef struct {
    atomic_size_t size;
    _Atomic(int *) buffer[];
} array_t;

static struct {
    atomic_long top, bottom;
    _Atomic(array_t *) array;
} q;

#define EMPTY ((int *)1)
#define ABORT ((int *)2)

static array_t *new_array(size_t n)
{
    array_t *a = malloc(sizeof *a + n * sizeof a->buffer[0]);
    atomic_init(&a->size, n);
    return a;
}

static void resize(long t, long b)
{
    array_t *a = atomic_load_explicit(&q.array, memory_order_relaxed);
    size_t n = atomic_load_explicit(&a->size, memory_order_relaxed);
    array_t *bigger = new_array(2 * n);
    for (long i = t; i < b; i++)
        atomic_store_explicit(&bigger->buffer[(size_t)i % (2 * n)],
                              atomic_load_explicit(&a->buffer[(size_t)i % n],
                                                   memory_order_relaxed),
                              memory_order_relaxed);
    atomic_store_explicit(&q.array, bigger, ARRAY_ORDER);
}

static void push(int *x)
{
    long b = atomic_load_explicit(&q.bottom, memory_order_relaxed);
    long t = atomic_load_explicit(&q.top, memory_order_acquire);
    array_t *a = atomic_load_explicit(&q.array, memory_order_relaxed);
    if (b - t >
        (long)atomic_load_explicit(&a->size, memory_order_relaxed) - 1) {
        resize(t, b);
        a = atomic_load_explicit(&q.array, memory_order_relaxed);
    }
    atomic_store_explicit(
        &a->buffer[(size_t)b %
                   atomic_load_explicit(&a->size, memory_order_relaxed)],
        x, memory_order_relaxed);
    PUBLISH();
    atomic_store_explicit(&q.bottom, b + 1, memory_order_relaxed);
}

static int *take(void)
{
    long b = atomic_load_explicit(&q.bottom, memory_order_relaxed) - 1;
    array_t *a = atomic_load_explicit(&q.array, memory_order_relaxed);
    atomic_store_explicit(&q.bottom, b, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    long t = atomic_load_explicit(&q.top, memory_order_relaxed);
    int *x = EMPTY;
    if (t <= b) {
        x = atomic_load_explicit(
            &a->buffer[(size_t)b %
                       atomic_load_explicit(&a->size, memory_order_relaxed)],
            memory_order_relaxed);
        if (t == b) {
            if (!atomic_compare_exchange_strong_explicit(&q.top, &t, t + 1,
                                                         memory_order_seq_cst,
                                                         memory_order_relaxed))
                x = EMPTY;
            atomic_store_explicit(&q.bottom, b + 1, memory_order_relaxed);
        }
    } else
        atomic_store_explicit(&q.bottom, b + 1, memory_order_relaxed);
    return x;
}

static int *steal(void)
{
    long t = atomic_load_explicit(&q.top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    long b = atomic_load_explicit(&q.bottom, memory_order_acquire);
    int *x = EMPTY;
    if (t < b) {
        array_t *a = atomic_load_explicit(&q.array, memory_order_consume);
        x = atomic_load_explicit(
            &a->buffer[(size_t)t %
                       atomic_load_explicit(&a->size, memory_order_relaxed)],
            memory_order_relaxed);
        if (!atomic_compare_exchange_strong_explicit(
                &q.top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
            return ABORT;
    }
    return x;
}

static int tasks[2];

static void *thief(void *u)
{
    int *x = steal();
    if (x != EMPTY && x != ABORT) {
        assert(*x == 1);
        *x = 2;
    }
    return u;
}

int main(void)
{
    pthread_t t;
    q.array = new_array(1);
    pthread_create(&t, 0, thief, 0);
    for (int i = 0; i < 2; i++) {
        tasks[i] = 1;
        push(&tasks[i]);
    }
    for (int i = 0; i < 2; i++) {
        int *x = take();
        if (x != EMPTY) {
            assert(*x == 1);
            *x = 2;
        }
    }
    pthread_join(t, 0);
    assert(tasks[0] == 2 && tasks[1] == 2);
    return 0;
}
