/* SPDX-License-Identifier: MIT
 *
 * The two-lock queue of Michael and Scott (PODC 1996): figure 10 of Relaxer,
 * whose line numbers are the labels on the right.  Head and tail have locks of
 * their own, so enqueue and dequeue race on the link between them.  Line 14
 * reads after the unlock, so nodes are not freed.
 *
 *   sc: correct
 *   tso: correct
 *   pso: broken
 *   pslo: broken
 *   fenced: correct
 *
 * A node is linked before it is filled (1), or found before it is read (2).
 *
 *   without 1: pso ss 2 5, ss 3 5
 *   without 2: pslo ll 10 14
 */
#include <stdlib.h>

#include "queue_test.h"

struct node {
    struct node *volatile next;
    volatile int data;
};

static struct queue {
    pthread_mutex_t head_lock, tail_lock;
    struct node *volatile head, *volatile tail;
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, NULL, NULL};

static void init_queue(void)
{
    struct node *dummy = malloc(sizeof *dummy);

    dummy->next = NULL;
    queue.head = queue.tail = dummy;
}

static void enqueue(int data)
{
    struct node *n = malloc(sizeof *n); /* 1 */

    n->data = data; /* 2 */
    n->next = NULL; /* 3 */
    FENCE(1, ss);
    pthread_mutex_lock(&queue.tail_lock);   /* 4 */
    queue.tail->next = n;                   /* 5 */
    queue.tail = n;                         /* 6 */
    pthread_mutex_unlock(&queue.tail_lock); /* 7 */
}

static int dequeue(void)
{
    struct node *n, *new_head;

    pthread_mutex_lock(&queue.head_lock);       /* 8 */
    n = queue.head;                             /* 9 */
    new_head = n->next;                         /* 10 */
    if (new_head) {                             /* 11 */
        queue.head = new_head;                  /* 12 */
        pthread_mutex_unlock(&queue.head_lock); /* 13 */
        FENCE(2, ll);
        return new_head->data; /* 14 */
    } /* 15 */
    pthread_mutex_unlock(&queue.head_lock); /* 16 */
    return EMPTY;                           /* 17 */
}
