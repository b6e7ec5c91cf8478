/* SPDX-License-Identifier: MIT
 *
 * A stack as liburcu's: push is one exchange and links its node afterwards, who
 * takes all waits for links.  -DBROKEN: push orders nothing.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no, power no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes, power yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define PUSH memory_order_relaxed
#define LINK memory_order_relaxed
#else
#define PUSH memory_order_acq_rel
#define LINK memory_order_release
#endif
#define END ((struct node *)1)
struct node {
    struct node *_Atomic next;
    int v;
};

static struct node *_Atomic head = END;

static void push(struct node *n)
{
    struct node *old = atomic_exchange_explicit(&head, n, PUSH);
    atomic_store_explicit(&n->next, old, LINK);
}

static struct node *next_blocking(struct node *n)
{
    struct node *x;
    while (!(x = atomic_load_explicit(&n->next, memory_order_acquire)))
        __builtin_ia32_pause();
    return x;
}

static struct node nodes[2];

static void *pusher(void *u)
{
    struct node *n = u;
    n->v = 1;
    push(n);
    return 0;
}

static void *popper(void *u)
{
    struct node *n = atomic_exchange_explicit(&head, END, memory_order_acq_rel);
    for (; n != END; n = next_blocking(n))
        assert(n->v == 1);
    return u;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, pusher, &nodes[0]);
    pthread_create(&t[1], 0, pusher, &nodes[1]);
    pthread_create(&t[2], 0, popper, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
