/* SPDX-License-Identifier: MIT
 *
 * The work-stealing deque of Chase and Lev in C11: the owner works at the
 * bottom, a thief at the top.  -DBROKEN: no fence between the owner's claim and
 * its look at the top, so the last task may be had twice.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 4
#define EMPTY (-1)
#define ABORT (-2)

typedef struct {
    atomic_long top, bottom;
    atomic_int tasks[SIZE];
} deque_t;

static deque_t dq;
static atomic_int done[2];

static void push(deque_t *q, int x)
{
    long b = atomic_load_explicit(&q->bottom, memory_order_relaxed);

    atomic_store_explicit(&q->tasks[b % SIZE], x, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&q->bottom, b + 1, memory_order_relaxed);
}

static int take(deque_t *q)
{
    long b = atomic_load_explicit(&q->bottom, memory_order_relaxed) - 1;
    int x = EMPTY;

    atomic_store_explicit(&q->bottom, b, memory_order_relaxed);
#ifndef BROKEN
    atomic_thread_fence(memory_order_seq_cst);
#endif
    long t = atomic_load_explicit(&q->top, memory_order_relaxed);
    if (t <= b) {
        x = atomic_load_explicit(&q->tasks[b % SIZE], memory_order_relaxed);
        if (t == b) {
            if (!atomic_compare_exchange_strong_explicit(&q->top, &t, t + 1,
                                                         memory_order_seq_cst,
                                                         memory_order_relaxed))
                x = EMPTY;
            atomic_store_explicit(&q->bottom, b + 1, memory_order_relaxed);
        }
    } else {
        atomic_store_explicit(&q->bottom, b + 1, memory_order_relaxed);
    }
    return x;
}

static int steal(deque_t *q)
{
    long t = atomic_load_explicit(&q->top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    long b = atomic_load_explicit(&q->bottom, memory_order_acquire);
    int x = EMPTY;

    if (t < b) {
        x = atomic_load_explicit(&q->tasks[t % SIZE], memory_order_relaxed);
        if (!atomic_compare_exchange_strong_explicit(
                &q->top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
            return ABORT;
    }
    return x;
}

static void run(int task)
{
    if (task >= 0)
        assert(atomic_fetch_add(&done[task], 1) == 0);
}

static void *owner(void *unused)
{
    push(&dq, 0);
    push(&dq, 1);
    run(take(&dq));
    run(take(&dq));
    return unused;
}

static void *thief(void *unused)
{
    run(steal(&dq));
    run(steal(&dq));
    return unused;
}

int main(void)
{
    pthread_t o, t;

    pthread_create(&o, NULL, owner, NULL);
    pthread_create(&t, NULL, thief, NULL);
    pthread_join(o, NULL);
    pthread_join(t, NULL);
    assert(done[0] == 1 && done[1] == 1);
    return 0;
}
