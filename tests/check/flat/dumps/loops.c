/* SPDX-License-Identifier: MIT
 *
 * Loops: one that only waits, one that counts to a constant, one that walks a
 * list, one that tries again.
 */
#include <stdatomic.h>
#include <stddef.h>

#include <fencer.h>

struct node {
    struct node *next;
    int key;
} *head;
atomic_int flag, sum;

FENCER_INIT
{
}

FENCER_OP(w)
{
    while (!atomic_load_explicit(&flag, memory_order_acquire))
        ;
}

FENCER_OP(k)
{
    int a[3];

    for (int i = 0; i < 3; i++)
        a[i] = i * i;
    fencer_observe("k", a[0] + a[1] + a[2]);
}

FENCER_OP(t)
{
    struct node *n = head;

    while (n && n->key < 3)
        n = n->next;
    fencer_observe("t", n != NULL);
}

FENCER_OP(r)
{
    int old;

    do
        old = atomic_load_explicit(&sum, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(
        &sum, &old, old + 1, memory_order_relaxed, memory_order_relaxed));
}
