/* SPDX-License-Identifier: MIT
 *
 * The non-blocking queue of Michael and Scott (PODC 1996) as CheckFence's
 * figure 9 has it: without counters in the pointers, hence without reuse of
 * nodes.  Numbers on the right are lines of that figure.
 *
 *   sc: correct
 *   tso: correct
 *   pso: broken
 *   pslo: broken
 *   fenced: correct
 *
 * A node is linked before it is filled (1).  The loads of enqueue (2, 3) and
 * dequeue (4, 5, 6) come in order, for the second look at tail or head says
 * that what was read in between belongs together.  CheckFence needs 3 and 6 on
 * Relaxed; on PSLO the CAS after them and the fences before them are enough.
 * Fence 7 keeps the link before the new tail; no machine swaps two CASes.
 *
 *   without 1: pso ss value 37, ss next 37
 *   without 2: pslo ll 31 33
 *   without 3: never ll 33 35
 *   without 4: pslo ll 52 54
 *   without 5: pslo ll 54 56
 *   without 6: never ll 56 58
 *   without 7: never ss 37 45
 */
#include <stdlib.h>

#include "queue_test.h"
#include "relaxed.h"

struct node {
    _Atomic int value;
    struct node *_Atomic next;
};

static struct node *_Atomic head, *_Atomic tail;

static struct node *new_node(int value)
{
    struct node *n = malloc(sizeof *n);

    store(&n->value, value); /* value */
    store(&n->next, NULL);   /* next */
    return n;
}

static void init_queue(void)
{
    struct node *dummy = new_node(0);

    store(&head, dummy);
    store(&tail, dummy);
}

static void enqueue(int value)
{
    struct node *node = new_node(value), *last, *next;

    FENCE(1, ss);
    for (;;) {
        last = load(&tail); /* 31 */
        FENCE(2, ll);
        next = load(&last->next); /* 33 */
        FENCE(3, ll);
        if (last != load(&tail)) /* 35 */
            continue;
        if (next)
            cas(struct node *, &tail, last, next);
        else if (cas(struct node *, &last->next, NULL, node)) /* 37 */
            break;
    }
    FENCE(7, ss);
    cas(struct node *, &tail, last, node); /* 45 */
}

static int dequeue(void)
{
    struct node *first, *last, *next;
    int value;

    for (;;) {
        first = load(&head); /* 52 */
        FENCE(4, ll);
        last = load(&tail); /* 54 */
        FENCE(5, ll);
        next = load(&first->next); /* 56 */
        FENCE(6, ll);
        if (first != load(&head)) /* 58 */
            continue;
        if (first != last) {
            value = load(&next->value);
            if (cas(struct node *, &head, first, next))
                return value;
        } else if (next) {
            cas(struct node *, &tail, last, next);
        } else {
            return EMPTY;
        }
    }
}
