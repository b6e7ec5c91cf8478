/* SPDX-License-Identifier: MIT
 *
 * A lock-free stack: pop retries its compare-and-swap, and the consumer retries
 * pop while the stack is empty.  -DBROKEN: push does not release, so PSO may
 * show a node before what is in it.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef BROKEN
#define PUSH memory_order_relaxed
#else
#define PUSH memory_order_release
#endif

struct node {
    struct node *next;
    int value;
};

static struct node *_Atomic top;
static struct node nodes[2];

static void push(struct node *n, int value)
{
    n->value = value;
    n->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&top, &n->next, n, PUSH,
                                                  memory_order_relaxed))
        ;
}

static bool pop(int *value)
{
    struct node *n = atomic_load_explicit(&top, memory_order_acquire);

    do {
        if (!n)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(
        &top, &n, n->next, memory_order_acquire, memory_order_acquire));
    *value = n->value;
    return true;
}

static void *producer(void *unused)
{
    push(&nodes[0], 1);
    push(&nodes[1], 2);
    return unused;
}

static void *consumer(void *unused)
{
    int sum = 0;

    for (int i = 0; i < 2; i++) {
        int value = 0;

        while (!pop(&value))
            sched_yield();
        sum += value;
    }
    assert(sum == 3);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
