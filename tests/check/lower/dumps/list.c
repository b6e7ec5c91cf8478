/* SPDX-License-Identifier: MIT
 *
 * A data type with its tests: the heap, choices, struct assignment, a local
 * that is not set, and functions that nothing reaches.
 */
#include <fencer.h>
#include <stdlib.h>

struct node {
    struct node *next;
    struct item {
        short key;
        char mark;
        long value;
    } item;
};

static struct node first = {.item = {1, 'x', -1}}, *top = &first;

static void push(long value)
{
    struct node *n = malloc(sizeof *n);
    struct item unset;

    unset.value = value;
    n->item = unset;
    do
        n->next = top;
    while (!__sync_bool_compare_and_swap(&top, n->next, n));
}

static long pop(void)
{
    struct node *n;
    long value;

    for (;;) {
        n = top;
        if (!n)
            return -1;
        if (__sync_bool_compare_and_swap(&top, n, n->next))
            break;
    }
    if (n->item.key)
        value = n->item.value;
    free(n);
    return value;
}

__attribute__((unused)) static double unreachable(double x)
{
    return x / 2;
}

FENCER_INIT
{
    top = NULL;
}

FENCER_OP(a)
{
    push(fencer_choose(2));
}

FENCER_OP(r)
{
    long value = pop();

    fencer_assume(value != 5);
    fencer_observe("r", value);
}

FENCER_TEST(Ta, "a ( a | r )");
FENCER_TEST(Tb, "( r | r )");
