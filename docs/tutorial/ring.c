/* SPDX-License-Identifier: MIT
 *
 * The tutorial, step 3: a ring with two slots, one producer, one consumer.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define SLOTS 2
#ifndef ITEMS
#define ITEMS 3
#endif

static int slot[SLOTS];
static atomic_uint head, tail; /* taken and put so far */

static bool put(int value)
{
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);

    if (t - atomic_load_explicit(&head, memory_order_relaxed) == SLOTS)
        return false; /* full */
    slot[t % SLOTS] = value;
    atomic_store_explicit(&tail, t + 1, memory_order_release);
    return true;
}

static bool take(int *value)
{
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);

    if (h == atomic_load_explicit(&tail, memory_order_acquire))
        return false; /* empty */
    *value = slot[h % SLOTS];
    atomic_store_explicit(&head, h + 1, memory_order_relaxed);
    return true;
}

static void *producer(void *unused)
{
    for (int i = 1; i <= ITEMS; i++)
        while (!put(i))
            ;
    return unused;
}

static void *consumer(void *unused)
{
    for (int i = 1; i <= ITEMS; i++) {
        int value;

        while (!take(&value))
            ;
        assert(value == i);
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
