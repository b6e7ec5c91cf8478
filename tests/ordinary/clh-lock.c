/* SPDX-License-Identifier: MIT
 *
 * A CLH lock: each thread waits for the node of the one before it.  -DBROKEN:
 * the wait is a relaxed load, and PSLO may read the counter too early.
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
#include <stddef.h>

#ifdef BROKEN
#define WAIT memory_order_relaxed
#else
#define WAIT memory_order_acquire
#endif

struct node {
    atomic_bool locked;
};

static struct node free_node, nodes[2];
static struct node *_Atomic tail = &free_node;
static int counter;

static void lock(struct node *me)
{
    struct node *before;

    atomic_store_explicit(&me->locked, true, memory_order_relaxed);
    before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    while (atomic_load_explicit(&before->locked, WAIT))
        ;
}

static void unlock(struct node *me)
{
    atomic_store_explicit(&me->locked, false, memory_order_release);
}

static void *work(void *node)
{
    lock(node);
    counter++;
    unlock(node);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, work, &nodes[0]);
    pthread_create(&b, NULL, work, &nodes[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
