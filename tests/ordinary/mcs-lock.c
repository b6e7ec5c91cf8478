/* SPDX-License-Identifier: MIT
 *
 * An MCS lock with nodes on the stacks of the threads that wait.  -DBROKEN: the
 * lock is handed on by a relaxed store, so PSO may show it before what was done
 * under the lock.
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
#define HAND_ON memory_order_relaxed
#else
#define HAND_ON memory_order_release
#endif

struct node {
    struct node *_Atomic next;
    atomic_bool waits;
};

static struct node *_Atomic tail;
static int counter;

static void lock(struct node *me)
{
    struct node *before;

    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&me->waits, true, memory_order_relaxed);
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

    if (!next) {
        struct node *expected = me;

        if (atomic_compare_exchange_strong_explicit(&tail, &expected, NULL,
                                                    memory_order_acq_rel,
                                                    memory_order_relaxed))
            return;
        while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
            ;
    }
    atomic_store_explicit(&next->waits, false, HAND_ON);
}

static void *work(void *unused)
{
    struct node me;

    lock(&me);
    counter++;
    unlock(&me);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
