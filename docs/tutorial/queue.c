/* SPDX-License-Identifier: MIT
 *
 * The tutorial, step 5: the queue of Michael and Scott (PODC 1996), as a data
 * type with tests.
 */
#include <fencer.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#define EMPTY (-1)

#ifndef LINK /* the order in which a node is put into the queue */
#define LINK memory_order_relaxed
#endif

struct node {
    int value;
    struct node *_Atomic next;
};

static struct node *_Atomic head, *_Atomic tail; /* head is a dummy */

static struct node *load(struct node *_Atomic *from)
{
    return atomic_load_explicit(from, memory_order_acquire);
}

static int swap(struct node *_Atomic *at, struct node *from, struct node *to)
{
    return atomic_compare_exchange_strong_explicit(at, &from, to, LINK,
                                                   memory_order_relaxed);
}

static void enqueue(int value)
{
    struct node *n = malloc(sizeof(*n));

    n->value = value;
    atomic_init(&n->next, NULL);
    for (;;) {
        struct node *last = load(&tail), *next = load(&last->next);

        if (next) {
            swap(&tail, last, next); /* somebody was interrupted: help */
        } else if (swap(&last->next, NULL, n)) {
            swap(&tail, last, n);
            return;
        }
    }
}

static int dequeue(void)
{
    for (;;) {
        struct node *first = load(&head), *last = load(&tail);
        struct node *next = load(&first->next);

        if (!next)
            return EMPTY;
        if (first == last)
            swap(&tail, last, next);
        else if (swap(&head, first, next))
            return next->value;
    }
}

FENCER_INIT
{
    struct node *n = malloc(sizeof(*n));

    atomic_init(&n->next, NULL);
    atomic_init(&head, n);
    atomic_init(&tail, n);
}

FENCER_OP(e)
{
    int value = 1 + (int)fencer_choose(2);

    enqueue(value);
    fencer_observe("e", value);
}

FENCER_OP(d)
{
    fencer_observe("d", dequeue());
}

FENCER_TEST(one, "( e | d )");
FENCER_TEST(two, "( e | e | d )");
FENCER_TEST(three, "e ( ed | d )");
