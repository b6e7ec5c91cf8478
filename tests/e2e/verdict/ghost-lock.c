/* SPDX-License-Identifier: MIT
 *
 * seL4's lock, as in bench/kernels/18-sel4-clh.c, with a ghost for who is
 * inside: neither processors nor C11 have that where the lock is broken.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <fencer.h>

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
static fencer_ghost int inside;

/* clh_lock_acquire, clh_lock_release. */
static void *core(void *number)
{
    struct clh_node *node = &nodes[(intptr_t)number], *prev;

    atomic_store_explicit(&node->value, PENDING, memory_order_relaxed);
    prev = atomic_exchange_explicit(&head, node, PUBLISH);
    while (atomic_load_explicit(&prev->value, memory_order_acquire) != GRANTED)
        ;
    assert(++inside == 1);
    inside--;
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
    return 0;
}
