/* SPDX-License-Identifier: MIT
 *
 * Relaxer's harness for queues: one thread enqueues twice, dequeues twice and
 * enqueues; the other dequeues twice, enqueues twice and dequeues.  Then main
 * empties the queue.  The program gives init_queue, enqueue and dequeue.
 */
#ifndef QUEUE_TEST_H
#define QUEUE_TEST_H

#include "history.h"

static void init_queue(void);
static void enqueue(int value);
static int dequeue(void);

static inline void put(int thread, int value)
{
    enqueue(value);
    note(thread, PUT_RIGHT, value, 0);
}

static inline int get(int thread)
{
    return note(thread, GET_LEFT, 0, dequeue());
}

static void *queue_first(void *unused)
{
    (void)unused;
    put(1, 1);
    put(1, 2);
    get(1);
    get(1);
    put(1, 3);
    return NULL;
}

static void *queue_second(void *unused)
{
    (void)unused;
    get(2);
    get(2);
    put(2, 4);
    put(2, 5);
    get(2);
    return NULL;
}

int main(void)
{
    init_queue();
    run_threads((bodies){queue_first, queue_second}, 2);
    for (int i = 0; i < 5 && get(AFTER) != EMPTY; i++)
        ;
    assert(explained());
    return 0;
}

#endif
