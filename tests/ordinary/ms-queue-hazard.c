/* SPDX-License-Identifier: MIT
 *
 * The queue of Michael and Scott, its nodes freed by hazard pointers. -DBROKEN:
 * a hazard pointer is published with release and acquire only.  ARM keeps a
 * release before a later acquire (not with ldapr), x86 does not.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no, power no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm no, riscv yes, power yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef BROKEN
#define PUBLISH memory_order_release
#define LOOK memory_order_acquire
#else
#define PUBLISH memory_order_seq_cst
#define LOOK memory_order_seq_cst
#endif

struct node {
    struct node *_Atomic next;
    int v;
};

static struct node *_Atomic head, *_Atomic tail;
static struct node *_Atomic hp[2][2];

static struct node *protect(int me, int k, struct node *_Atomic *from)
{
    struct node *p = atomic_load_explicit(from, memory_order_relaxed), *q;
    for (;;) {
        atomic_store_explicit(&hp[me][k], p, PUBLISH);
        q = atomic_load_explicit(from, LOOK);
        if (q == p)
            return p;
        p = q;
    }
}

static void enqueue(int me, int v)
{
    struct node *n = malloc(sizeof *n), *t, *next;
    n->v = v;
    atomic_init(&n->next, NULL);
    for (;;) {
        t = protect(me, 0, &tail);
        next = NULL;
        if (atomic_compare_exchange_strong_explicit(&t->next, &next, n,
                                                    memory_order_release,
                                                    memory_order_acquire)) {
            atomic_compare_exchange_strong_explicit(
                &tail, &t, n, memory_order_release, memory_order_relaxed);
            break;
        }
        atomic_compare_exchange_strong_explicit(
            &tail, &t, next, memory_order_release, memory_order_relaxed);
    }
    atomic_store_explicit(&hp[me][0], NULL, memory_order_release);
}

static bool dequeue(int me, int *v)
{
    struct node *h, *t, *next;
    for (;;) {
        h = protect(me, 0, &head);
        t = atomic_load_explicit(&tail, memory_order_acquire);
        next = protect(me, 1, &h->next);
        if (atomic_load_explicit(&head, memory_order_seq_cst) != h)
            continue;
        if (!next) {
            atomic_store_explicit(&hp[me][0], NULL, memory_order_release);
            return false;
        }
        if (h == t) {
            atomic_compare_exchange_strong_explicit(
                &tail, &t, next, memory_order_release, memory_order_relaxed);
            continue;
        }
        *v = next->v;
        if (atomic_compare_exchange_strong_explicit(
                &head, &h, next, memory_order_seq_cst, memory_order_relaxed))
            break;
    }
    atomic_store_explicit(&hp[me][0], NULL, memory_order_release);
    atomic_store_explicit(&hp[me][1], NULL, memory_order_release);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (atomic_load_explicit(&hp[i][k], memory_order_seq_cst) == h)
                return true; /* leaked */
    free(h);
    return true;
}

static void *a(void *u)
{
    int v;
    enqueue(0, 1);
    if (dequeue(0, &v))
        assert(v == 1);
    return u;
}

static void *b(void *u)
{
    int v;
    if (dequeue(1, &v))
        assert(v == 1);
    return u;
}

int main(void)
{
    pthread_t t[2];
    struct node *n = calloc(1, sizeof *n);
    atomic_init(&head, n);
    atomic_init(&tail, n);
    pthread_create(&t[0], 0, a, 0);
    pthread_create(&t[1], 0, b, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
