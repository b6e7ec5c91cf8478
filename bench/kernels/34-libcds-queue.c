/* SPDX-License-Identifier: MIT
 *
 * libcds, the intrusive queue of Michael and Scott: issue 186, found with a
 * model checker for C11.
 *
 * The first dequeue moves the head with an acquire compare-and-swap.  The
 * second reads the head with acquire and then the node's link, which the
 * enqueuer wrote before it published the node.  In C11 nothing that the second
 * thread acquired was released: the link may be uninitialised.
 *
 * No machine shows it.  What the first dequeuer has read is there for
 * everybody, also on POWER, where the enqueuer's lwsync holds for whoever hears
 * of it at second hand; the compare-and-swap depends on that read.  It takes a
 * compiler that uses the permission.
 *
 *   broken: none
 *   failure: assertion failed
 *   fixed: pslo
 *   verify: arm right, riscv right, power right, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FIXED
#define MOVE memory_order_release
#else
#define MOVE memory_order_acquire
#endif

struct node {
    struct node *_Atomic next;
};

/* What the node's last use left in it. */
static struct node dummy, garbage, node = {&garbage};
static struct node *_Atomic head = &dummy;

static void *enqueuer(void *unused)
{
    struct node *null = NULL;

    (void)unused;
    atomic_store_explicit(&node.next, NULL, memory_order_relaxed);
    atomic_compare_exchange_strong_explicit(
        &dummy.next, &null, &node, memory_order_release, memory_order_relaxed);
    return NULL;
}

static void *dequeuer(void *unused)
{
    struct node *h = atomic_load_explicit(&head, memory_order_acquire);
    struct node *next = atomic_load_explicit(&h->next, memory_order_acquire);

    (void)unused;
    assert(next != &garbage);
    if (next != NULL)
        atomic_compare_exchange_strong_explicit(&head, &h, next, MOVE,
                                                memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;

    pthread_create(&a, NULL, enqueuer, NULL);
    pthread_create(&b, NULL, dequeuer, NULL);
    pthread_create(&c, NULL, dequeuer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
