/* SPDX-License-Identifier: MIT
 *
 * Michael and Scott's queue; nodes are never reused.  -DBROKEN: the CAS that
 * links a node is relaxed.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef BROKEN
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif

typedef struct qnode {
    int value;
    _Atomic(struct qnode *) next;
} qnode_t;

typedef struct {
    _Atomic(qnode_t *) head;
    _Atomic(qnode_t *) tail;
} queue_t;

static queue_t Q;

static void queue_init(queue_t *q)
{
    qnode_t *dummy = calloc(1, sizeof(qnode_t));

    atomic_init(&q->head, dummy);
    atomic_init(&q->tail, dummy);
}

static void enqueue(queue_t *q, int value)
{
    qnode_t *n = malloc(sizeof(qnode_t));

    n->value = value;
    atomic_init(&n->next, NULL);
    for (;;) {
        qnode_t *t = atomic_load_explicit(&q->tail, memory_order_acquire);
        qnode_t *next = atomic_load_explicit(&t->next, memory_order_acquire);

        if (t != atomic_load_explicit(&q->tail, memory_order_acquire))
            continue;
        if (next) {
            atomic_compare_exchange_strong_explicit(
                &q->tail, &t, next, memory_order_release, memory_order_relaxed);
            continue;
        }
        if (atomic_compare_exchange_strong_explicit(&t->next, &next, n, LINK,
                                                    memory_order_relaxed)) {
            atomic_compare_exchange_strong_explicit(
                &q->tail, &t, n, memory_order_release, memory_order_relaxed);
            return;
        }
    }
}

static bool dequeue(queue_t *q, int *value)
{
    for (;;) {
        qnode_t *h = atomic_load_explicit(&q->head, memory_order_acquire);
        qnode_t *t = atomic_load_explicit(&q->tail, memory_order_acquire);
        qnode_t *next = atomic_load_explicit(&h->next, memory_order_acquire);

        if (h != atomic_load_explicit(&q->head, memory_order_acquire))
            continue;
        if (!next)
            return false;
        if (h == t) {
            atomic_compare_exchange_strong_explicit(
                &q->tail, &t, next, memory_order_release, memory_order_relaxed);
            continue;
        }
        *value = next->value;
        if (atomic_compare_exchange_strong_explicit(
                &q->head, &h, next, memory_order_release, memory_order_relaxed))
            return true;
    }
}

static void *producer(void *arg)
{
    enqueue(&Q, 4);
    return arg;
}

static void *other(void *arg)
{
    int v;

    enqueue(&Q, 5);
    assert(dequeue(&Q, &v));
    assert(v == 4 || v == 5);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    int v;

    queue_init(&Q);
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(dequeue(&Q, &v) && !dequeue(&Q, &v));
    return 0;
}
