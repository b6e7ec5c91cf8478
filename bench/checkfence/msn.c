/* SPDX-License-Identifier: MIT
 *
 * The non-blocking queue of Michael and Scott (PODC 1996) as CheckFence's
 * figure 9 has it: without counters in the pointers, hence without reuse of
 * nodes.  A compare-and-swap has no order of its own.
 *
 * As published it has no fences; -DFENCED adds those of the figure, -DWITHOUT=N
 * leaves out number N of them.
 *
 *   1        a node is filled before it is linked
 *   2, 3     tail, tail->next and tail again are read in this order: that tail
 *            is the same says that the two belong together
 *   4        a node is linked before it becomes the tail
 *   5, 6, 7  head, tail, head->next and head again, for the same reason
 */
#include <fencer.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef WITHOUT
#define WITHOUT 0
#endif

#ifdef FENCED
#define FENCE(number, kind)                                                    \
    do {                                                                       \
        if ((number) != WITHOUT)                                               \
            fencer_fence_##kind();                                             \
    } while (0)
#else
#define FENCE(number, kind) ((void)0)
#endif

#define EMPTY (-1)

/* A macro, so that each use is a place of its own. */
#define cas(where, from, to)                                                   \
    __atomic_compare_exchange_n(where, &(struct node *){from}, to, false,      \
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED)

struct node {
    struct node *next;
    int value;
};

static struct queue {
    struct node *head, *tail;
} queue;

static void init_queue(struct queue *q)
{
    struct node *dummy = malloc(sizeof *dummy);

    dummy->next = NULL;
    q->head = q->tail = dummy;
}

static void enqueue(struct queue *q, int value)
{
    struct node *n = malloc(sizeof *n), *tail, *next;

    n->value = value;
    n->next = NULL;
    FENCE(1, ss);
    for (;;) {
        tail = q->tail;
        FENCE(2, ll);
        next = tail->next;
        FENCE(3, ll);
        if (tail != q->tail)
            continue;
        if (next)
            cas(&q->tail, tail, next);
        else if (cas(&tail->next, NULL, n))
            break;
    }
    FENCE(4, ss);
    cas(&q->tail, tail, n);
}

static int dequeue(struct queue *q)
{
    struct node *head, *tail, *next;

    for (;;) {
        head = q->head;
        FENCE(5, ll);
        tail = q->tail;
        FENCE(6, ll);
        next = head->next;
        FENCE(7, ll);
        if (head != q->head)
            continue;
        if (head != tail) {
            int value = next->value;

            if (cas(&q->head, head, next))
                return value;
        } else if (next) {
            cas(&q->tail, tail, next);
        } else {
            return EMPTY;
        }
    }
}

FENCER_INIT
{
    init_queue(&queue);
}

FENCER_OP(e)
{
    int value = (int)fencer_choose(2);

    enqueue(&queue, value);
    fencer_observe("e", value);
}

FENCER_OP(d)
{
    fencer_observe("d", dequeue(&queue));
}

FENCER_TEST(T0, "( e | d )");
FENCER_TEST(T1, "( e | e | d | d )");
FENCER_TEST(Tpc2, "( ee | dd )");
FENCER_TEST(Tpc3, "( eee | ddd )");
FENCER_TEST(Tpc4, "( eeee | dddd )");
FENCER_TEST(Tpc5, "( eeeee | ddddd )");
FENCER_TEST(Tpc6, "( eeeeee | dddddd )");
FENCER_TEST(Ti2, "e ( ed | de )");
FENCER_TEST(Ti3, "e ( de | dde )");
FENCER_TEST(T53, "( eeee | d | d )");
FENCER_TEST(T54, "( eee | e | d | d )");
FENCER_TEST(T55, "( ee | e | e | d | d )");
FENCER_TEST(T56, "( e | e | e | e | d | d )");
