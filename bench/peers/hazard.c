/* SPDX-License-Identifier: MIT
 *
 * Treiber's stack with hazard pointers (Michael, 2004): N threads, each pushes
 * a value and pops one.  Who pops a node announces it before he looks into it,
 * and looks again whether it is still on top; who took a node off frees it
 * unless another one announces it, and keeps it for ever then.
 *
 *   -DFENCED    the announcement is seen before the second look
 *   -DFULL      all values are there from the beginning, and are only popped
 */
#include "peers.h"

#include <stdlib.h>

struct node {
    struct node *_Atomic next;
    int value;
};

static struct node *_Atomic top;
static struct node *_Atomic hazards[N];
static fencer_ghost int popped[N + 1];

static bool replace(struct node *from, struct node *to)
{
    return atomic_compare_exchange_strong_explicit(
        &top, &from, to, memory_order_acq_rel, memory_order_acquire);
}

static void push(int value)
{
    struct node *node = malloc(sizeof *node), *old;

    node->value = value;
    do {
        old = load(&top);
        store(&node->next, old);
    } while (!replace(old, node));
}

static bool is_announced(int me, const struct node *node)
{
    for (int i = 0; i < N; i++)
        if (i != me && load_acquire(&hazards[i]) == node)
            return true;
    return false;
}

/* The node on top, which nobody frees now. */
static struct node *announce(int me)
{
    struct node *node;

    do {
        node = load(&top);
        store(&hazards[me], node);
        FENCE();
    } while (node != load_acquire(&top));
    return node;
}

static int pop(int me)
{
    struct node *node;
    int value;

    do
        node = announce(me);
    while (!replace(node, load(&node->next)));
    store_release(&hazards[me], NULL);
    value = node->value;
    FENCE();
    if (!is_announced(me, node))
        free(node);
    return value;
}

static void *run(void *number)
{
    int me = number_of(number), value;

#ifndef FULL
    push(me + 1);
#endif
    value = pop(me);
    assert(value >= 1 && ++popped[value] == 1);
    return NULL;
}

int main(void)
{
#ifdef FULL
    for (int i = 0; i < N; i++)
        push(i + 1);
#endif
    run_many(run, N);
    assert(!load(&top));
    return 0;
}
