/* SPDX-License-Identifier: MIT
 *
 * A ring buffer for one producer and one consumer, with volatile indices, as
 * found in many a driver.  The producer fills a slot, then moves `tail`; the
 * consumer empties a slot, then moves `head`.
 *
 *   sc, tso:  correct        arm, pso, pslo, c11:  broken
 *
 * `volatile` forbids the compiler to reorder the two, not the machine.
 * -DFENCED adds the fences that are missing.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef FENCED
#define BEFORE_PUBLISH() atomic_thread_fence(memory_order_release)
#define AFTER_LOOK() atomic_thread_fence(memory_order_acquire)
#else
#define BEFORE_PUBLISH() ((void)0)
#define AFTER_LOOK() ((void)0)
#endif

#define SLOTS 2
#define ITEMS 4

static volatile int slot[SLOTS];
static volatile unsigned head, tail; /* count up for ever; head <= tail */

static bool put(int value)
{
    if (tail - head == SLOTS)
        return false;
    AFTER_LOOK();
    slot[tail % SLOTS] = value;
    BEFORE_PUBLISH();
    tail = tail + 1;
    return true;
}

static bool take(int *value)
{
    if (head == tail)
        return false;
    AFTER_LOOK();
    *value = slot[head % SLOTS];
    BEFORE_PUBLISH();
    head = head + 1;
    return true;
}

static void *producer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= ITEMS; i++)
        while (!put(i))
            ;
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= ITEMS; i++) {
        int value;

        while (!take(&value))
            ;
        assert(value == i);
    }
    return NULL;
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
