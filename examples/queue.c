/* SPDX-License-Identifier: MIT
 *
 * A queue between one producer and one consumer, as a data type with tests:
 * whatever the threads do, it must look as if each operation were one step.
 * The producer fills a node, then links it; nobody holds a lock.
 *
 *   fencer check examples/queue.c                     finds what is missing
 *   fencer check --fences examples/queue.c            says which fences do
 *   fencer check --cflags -DFENCED examples/queue.c   passes
 */
#include <fencer.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef FENCED
#define FENCE(order) atomic_thread_fence(memory_order_##order)
#else
#define FENCE(order) ((void)0)
#endif

#define EMPTY (-1)

struct node {
    int value;
    struct node *_Atomic next;
};

static struct node *first, *last; /* first is a dummy: its value is taken */

static void enqueue(int value)
{
    struct node *n = calloc(1, sizeof(*n));

    n->value = value;
    FENCE(release); /* the node is filled before anybody can reach it */
    atomic_store_explicit(&last->next, n, memory_order_relaxed);
    last = n;
}

static int dequeue(void)
{
    struct node *n = atomic_load_explicit(&first->next, memory_order_relaxed);

    if (!n)
        return EMPTY;
    FENCE(acquire); /* what it holds is read after its address */
    first = n;
    return n->value;
}

FENCER_INIT
{
    first = last = calloc(1, sizeof(*first));
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
FENCER_TEST(two, "( ee | dd )");
FENCER_TEST(more, "e ( ee | ddd )");
