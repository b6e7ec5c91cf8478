/* SPDX-License-Identifier: MIT
 *
 * The non-blocking queue of Michael and Scott (PODC 1996), translated to C11
 * with every atomic relaxed, as somebody does who tests on one machine.  A
 * node's value is written before the compare-and-swap that links it, but
 * nothing keeps these two writes in order: a consumer finds the node and
 * reads what malloc left in it.
 *
 *   sc, tso:  correct        arm, pso, pslo, c11:  broken
 *
 * -DFENCED links with release and reads pointers with acquire.  Nodes are not
 * freed before the end: reclaiming them is another story, with other bugs.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef FENCED
#define LOAD memory_order_acquire
#define LINK memory_order_acq_rel
#else
#define LOAD memory_order_relaxed
#define LINK memory_order_relaxed
#endif

#ifndef ITEMS
#define ITEMS 4
#endif

struct node {
    int value;
    struct node *_Atomic next;
};

static struct node *_Atomic head, *_Atomic tail;

static bool swing(struct node *_Atomic *where, struct node *from,
                  struct node *to)
{
    return atomic_compare_exchange_strong_explicit(where, &from, to, LINK,
                                                   memory_order_relaxed);
}

static void enqueue(int value)
{
    struct node *node = malloc(sizeof *node);

    node->value = value;
    atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, LOAD);
        struct node *next = atomic_load_explicit(&last->next, LOAD);

        if (last != atomic_load_explicit(&tail, LOAD))
            continue;
        if (next) { /* tail lags behind: help it on */
            swing(&tail, last, next);
        } else if (swing(&last->next, NULL, node)) {
            swing(&tail, last, node);
            return;
        }
    }
}

static bool dequeue(int *value)
{
    for (;;) {
        struct node *first = atomic_load_explicit(&head, LOAD);
        struct node *last = atomic_load_explicit(&tail, LOAD);
        struct node *next = atomic_load_explicit(&first->next, LOAD);

        if (first != atomic_load_explicit(&head, LOAD))
            continue;
        if (!next)
            return false;
        if (first == last) { /* tail lags behind: help it on */
            swing(&tail, last, next);
        } else {
            *value = next->value;
            if (swing(&head, first, next))
                return true;
        }
    }
}

static void *producer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= ITEMS; i++)
        enqueue(i);
    return NULL;
}

static void *consumer(void *unused)
{
    int expected = 1, value;

    (void)unused;
    for (int i = 0; i < ITEMS; i++) {
        if (!dequeue(&value))
            continue;
        assert(value == expected);
        expected++;
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    struct node *dummy = malloc(sizeof *dummy);

    atomic_init(&dummy->next, NULL);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
