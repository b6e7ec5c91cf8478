/* SPDX-License-Identifier: MIT
 *
 * Vyukov's bounded queue for many producers and consumers: each cell has a
 * sequence number that says whose turn it is.  -DBROKEN: a producer announces
 * its cell without release, so PSO may show the number before the item.
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
#define ANNOUNCE memory_order_relaxed
#else
#define ANNOUNCE memory_order_release
#endif

#define CELLS 2

struct cell {
    atomic_uint turn;
    int item;
};

static struct queue {
    struct cell cells[CELLS];
    atomic_uint in, out;
} queue;

static void queue_init(struct queue *q)
{
    for (unsigned i = 0; i < CELLS; i++)
        atomic_init(&q->cells[i].turn, i);
}

static bool queue_put(struct queue *q, int item)
{
    unsigned at = atomic_load_explicit(&q->in, memory_order_relaxed);

    for (;;) {
        struct cell *c = &q->cells[at % CELLS];
        int ahead =
            (int)(atomic_load_explicit(&c->turn, memory_order_acquire) - at);

        if (ahead < 0)
            return false;
        if (ahead == 0 && atomic_compare_exchange_weak_explicit(
                              &q->in, &at, at + 1, memory_order_relaxed,
                              memory_order_relaxed)) {
            c->item = item;
            atomic_store_explicit(&c->turn, at + 1, ANNOUNCE);
            return true;
        }
        if (ahead > 0)
            at = atomic_load_explicit(&q->in, memory_order_relaxed);
    }
}

static bool queue_take(struct queue *q, int *item)
{
    unsigned at = atomic_load_explicit(&q->out, memory_order_relaxed);
    struct cell *c = &q->cells[at % CELLS];

    if (atomic_load_explicit(&c->turn, memory_order_acquire) != at + 1)
        return false;
    if (!atomic_compare_exchange_strong_explicit(
            &q->out, &at, at + 1, memory_order_relaxed, memory_order_relaxed))
        return false;
    *item = c->item;
    atomic_store_explicit(&c->turn, at + CELLS, memory_order_release);
    return true;
}

static void *producer(void *item)
{
    while (!queue_put(&queue, *(const int *)item))
        sched_yield();
    return NULL;
}

int main(void)
{
    static const int items[] = {10, 20};
    pthread_t a, b;
    int sum = 0;

    queue_init(&queue);
    pthread_create(&a, NULL, producer, (void *)&items[0]);
    pthread_create(&b, NULL, producer, (void *)&items[1]);
    for (int i = 0; i < 2; i++) {
        int item = 0;

        while (!queue_take(&queue, &item))
            sched_yield();
        sum += item;
    }
    assert(sum == 30);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
