/* SPDX-License-Identifier: MIT
 *
 * A stack whose pushes and pops may meet in an exchange slot instead of
 * fighting for the top.  -DBROKEN: the offer is put into the slot by a relaxed
 * CAS, so who takes it from there may find an empty node.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef BROKEN
#define OFFER memory_order_relaxed
#else
#define OFFER memory_order_release
#endif

struct node {
    int value;
    struct node *next;
};

static struct node *_Atomic head;
static struct node *_Atomic slot;

static bool try_push(struct node *n)
{
    struct node *old = atomic_load_explicit(&head, memory_order_relaxed);

    n->next = old;
    return atomic_compare_exchange_strong_explicit(
        &head, &old, n, memory_order_release, memory_order_relaxed);
}

/* True: somebody has taken it. */
static bool offer(struct node *n)
{
    struct node *empty = NULL, *mine = n;

    if (!atomic_compare_exchange_strong_explicit(&slot, &empty, n, OFFER,
                                                 memory_order_relaxed))
        return false;
    /* A real one would wait here for a moment. */
    return !atomic_compare_exchange_strong_explicit(
        &slot, &mine, NULL, memory_order_relaxed, memory_order_relaxed);
}

static void push(struct node *n)
{
    while (!offer(n)) {
        if (try_push(n))
            return;
    }
}

static struct node *pop(void)
{
    struct node *n = atomic_load_explicit(&slot, memory_order_acquire);

    if (n && atomic_compare_exchange_strong_explicit(
                 &slot, &n, NULL, memory_order_acquire, memory_order_relaxed))
        return n;
    n = atomic_load_explicit(&head, memory_order_acquire);
    if (n && atomic_compare_exchange_strong_explicit(&head, &n, n->next,
                                                     memory_order_acquire,
                                                     memory_order_relaxed))
        return n;
    return NULL;
}

static struct node a;

static void *pusher(void *unused)
{
    a.value = 42;
    push(&a);
    return unused;
}

static void *popper(void *unused)
{
    struct node *n = pop();

    if (n)
        assert(n->value == 42);
    return unused;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, pusher, NULL);
    pthread_create(&t[1], NULL, popper, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
