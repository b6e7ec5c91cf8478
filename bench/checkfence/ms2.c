/* SPDX-License-Identifier: MIT
 *
 * The two-lock queue of Michael and Scott (PODC 1996).  Head and tail have
 * locks of their own, so enqueue and dequeue race on the link between them
 * when the queue is empty.  Nodes are not freed.
 *
 * As published it has no fences; -DFENCED adds them, -DWITHOUT=N leaves out
 * number N of them.
 *
 *   1  a node is filled before it is linked
 *   2  a link is read before the node behind it
 */
#include <fencer.h>
#include <pthread.h>
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

struct node {
    struct node *next;
    int value;
};

static struct queue {
    struct node *head, *tail;
    pthread_mutex_t head_lock, tail_lock;
} queue;

static void init_queue(struct queue *q)
{
    struct node *dummy = malloc(sizeof *dummy);

    dummy->next = NULL;
    q->head = q->tail = dummy;
    pthread_mutex_init(&q->head_lock, NULL);
    pthread_mutex_init(&q->tail_lock, NULL);
}

static void enqueue(struct queue *q, int value)
{
    struct node *n = malloc(sizeof *n);

    n->value = value;
    n->next = NULL;
    FENCE(1, ss);
    pthread_mutex_lock(&q->tail_lock);
    q->tail->next = n;
    q->tail = n;
    pthread_mutex_unlock(&q->tail_lock);
}

static int dequeue(struct queue *q)
{
    struct node *first, *next;
    int value = EMPTY;

    pthread_mutex_lock(&q->head_lock);
    first = q->head;
    next = first->next;
    if (next) {
        FENCE(2, ll);
        value = next->value;
        q->head = next;
    }
    pthread_mutex_unlock(&q->head_lock);
    return value;
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
