/* SPDX-License-Identifier: MIT
 *
 * Treiber's stack with one hazard pointer a thread; a popped node is freed when
 * nobody points at it any more.  -DBROKEN: the hazard pointer is a release
 * store, which the second look at the top may overtake.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm no, riscv no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef BROKEN
#define HP_ORDER memory_order_release
#else
#define HP_ORDER memory_order_seq_cst
#endif

#define MAX_THREADS 2

typedef struct node {
    struct node *next;
    int value;
} node_t;

static _Atomic(node_t *) top;
static _Atomic(node_t *) hazard[MAX_THREADS];

static void push(int value)
{
    node_t *n = malloc(sizeof(*n));
    n->value = value;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        ;
}

static void retire(int self, node_t *n)
{
    for (int i = 0; i < MAX_THREADS; i++) {
        if (i == self)
            continue;
        while (atomic_load(&hazard[i]) == n)
            ;
    }
    free(n);
}

static bool pop(int self, int *value)
{
    node_t *n;

    for (;;) {
        n = atomic_load(&top);
        if (n == NULL)
            return false;
        atomic_store_explicit(&hazard[self], n, HP_ORDER);
        if (atomic_load(&top) != n)
            continue;
        node_t *next = n->next;
        if (atomic_compare_exchange_strong(&top, &n, next))
            break;
    }
    atomic_store(&hazard[self], NULL);
    *value = n->value;
    retire(self, n);
    return true;
}

static int got[MAX_THREADS];

static void *worker(void *arg)
{
    int self = (int)(intptr_t)arg;

    if (!pop(self, &got[self]))
        got[self] = 0;
    return NULL;
}

int main(void)
{
    pthread_t t[MAX_THREADS];

    push(1);
    push(2);
    for (intptr_t i = 0; i < MAX_THREADS; i++)
        pthread_create(&t[i], NULL, worker, (void *)i);
    for (int i = 0; i < MAX_THREADS; i++)
        pthread_join(t[i], NULL);
    assert(got[0] + got[1] == 3);
    assert(atomic_load(&top) == NULL);
    return 0;
}
