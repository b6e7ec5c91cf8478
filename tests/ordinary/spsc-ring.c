/* SPDX-License-Identifier: MIT
 *
 * A ring for one producer and one consumer, behind helpers that return whether
 * they could and give the item back through a pointer.  -DBROKEN: the producer
 * publishes its slot without release, so PSO may show the index first.
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
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

#define SLOTS 2
#define ITEMS 3

struct ring {
    int items[SLOTS];
    atomic_uint head, tail;
};

static struct ring ring;

static bool ring_push(struct ring *r, int item)
{
    unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    unsigned head = atomic_load_explicit(&r->head, memory_order_acquire);

    if (tail - head == SLOTS)
        return false;
    r->items[tail % SLOTS] = item;
    atomic_store_explicit(&r->tail, tail + 1, PUBLISH);
    return true;
}

static bool ring_pop(struct ring *r, int *item)
{
    unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);
    unsigned tail = atomic_load_explicit(&r->tail, memory_order_acquire);

    if (head == tail)
        return false;
    *item = r->items[head % SLOTS];
    atomic_store_explicit(&r->head, head + 1, memory_order_release);
    return true;
}

static void *producer(void *unused)
{
    for (int i = 1; i <= ITEMS; i++)
        while (!ring_push(&ring, i))
            ;
    return unused;
}

static void *consumer(void *unused)
{
    for (int i = 1; i <= ITEMS; i++) {
        int item;

        while (!ring_pop(&ring, &item))
            ;
        assert(item == i);
    }
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
