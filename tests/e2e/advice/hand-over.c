/* SPDX-License-Identifier: MIT
 *
 * An MCS lock that is handed on by a relaxed store: what fails is the counter,
 * what is wrong is the store.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
    atomic_int waits;
};

static struct node *_Atomic tail;
static int counter;

static void lock(struct node *me)
{
    struct node *before;

    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&me->waits, 1, memory_order_relaxed);
    before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    if (!before)
        return;
    atomic_store_explicit(&before->next, me, memory_order_release);
    while (atomic_load_explicit(&me->waits, memory_order_acquire))
        ;
}

static void unlock(struct node *me)
{
    struct node *next = atomic_load_explicit(&me->next, memory_order_acquire);
    struct node *mine = me;

    if (!next && atomic_compare_exchange_strong_explicit(&tail, &mine, NULL,
                                                         memory_order_release,
                                                         memory_order_relaxed))
        return;
    while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
        ;
    atomic_store_explicit(&next->waits, 0, memory_order_relaxed);
}

static void *count(void *argument)
{
    struct node me;

    lock(&me);
    counter++;
    unlock(&me);
    return argument;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
