/* SPDX-License-Identifier: MIT
 *
 * Treiber's stack (1986): N threads, each pushes a value and pops one.  Nothing
 * is popped twice; nodes are not used again, so that ABA does not arise.
 */
#include "peers.h"

struct node {
    struct node *_Atomic next;
    volatile int value;
};

static struct node *_Atomic top;
static struct node nodes[N];
static fencer_ghost int popped[N + 1];

static bool replace(struct node *from, struct node *to)
{
    return atomic_compare_exchange_strong_explicit(&top, &from, to, RELEASE,
                                                   RELAXED);
}

static void push(struct node *node, int value)
{
    struct node *old;

    node->value = value;
    do {
        old = load(&top);
        store(&node->next, old);
    } while (!replace(old, node));
}

static int pop(void)
{
    struct node *old;

    do {
        old = load_acquire(&top);
        assert(old);
    } while (!replace(old, load(&old->next)));
    return old->value;
}

static void *run(void *number)
{
    int me = number_of(number), value;

    push(&nodes[me], me + 1);
    value = pop();
    assert(value >= 1 && ++popped[value] == 1);
    return NULL;
}

int main(void)
{
    run_many(run, N);
    assert(!load(&top));
    return 0;
}
