/* SPDX-License-Identifier: MIT
 *
 * The tutorial, step 4: a lock-free stack (Treiber, 1986) whose nodes are freed
 * when nobody can look at them any more.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *_Atomic top;

static void push(int value)
{
    struct node *n = malloc(sizeof(*n));

    n->value = value;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        ;
}

static struct node *pop(void)
{
    struct node *n = atomic_load(&top);

    while (n && !atomic_compare_exchange_weak(&top, &n, n->next))
        ;
    return n;
}

static void *taker(void *unused)
{
    (void)unused;
    return pop();
}

int main(void)
{
    pthread_t a, b;
    void *first, *second;

    push(1);
    push(2);
    pthread_create(&a, NULL, taker, NULL);
    pthread_create(&b, NULL, taker, NULL);
    pthread_join(a, &first);
    pthread_join(b, &second);
    assert(first != second);
    free(first);
    free(second);
    return 0;
}
