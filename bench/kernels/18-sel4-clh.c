/* SPDX-License-Identifier: MIT
 *
 * seL4, the big kernel lock: pull request 199, issue 207; reproduced on an ARM
 * server of 96 cores.
 *
 * In a CLH lock a core marks its node as pending, exchanges the tail for it,
 * and waits until the node that it got is granted.  The exchange had only
 * acquire, so the mark may come late: the next core finds this node with what
 * it held after its last use, granted.
 *
 * To the user: two cores in the kernel at once.
 *
 * -DFIXED makes the exchange a release too.
 *
 *   broken: pso
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ss after atomic_store_explicit(&node->value, PENDING
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifdef FIXED
#define PUBLISH memory_order_acq_rel
#else
#define PUBLISH memory_order_acquire
#endif

enum { GRANTED, PENDING };

struct clh_node {
    atomic_int value;
};

static struct clh_node nodes[3]; /* of core 0, of core 1, the last one's */
static struct clh_node *_Atomic head = &nodes[2];
static volatile int inside; /* how often somebody was */

/* clh_lock_acquire, clh_lock_release. */
static void *core(void *number)
{
    struct clh_node *node = &nodes[(intptr_t)number], *prev;

    atomic_store_explicit(&node->value, PENDING, memory_order_relaxed);
    prev = atomic_exchange_explicit(&head, node, PUBLISH);
    while (atomic_load_explicit(&prev->value, memory_order_acquire) != GRANTED)
        ;
    inside = inside + 1;
    atomic_store_explicit(&node->value, GRANTED, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, core, (void *)0);
    pthread_create(&b, NULL, core, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(inside == 2);
    return 0;
}
