/* SPDX-License-Identifier: MIT
 *
 * Two producers at most, each gives up when the ring seems full; with an old
 * head it seems so when it is empty, for the difference is below zero.  Then
 * the consumer waits for an item that nobody brings: all others have ended.
 * -DFIXED: the tail is read first.
 */
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 4

static atomic_uint head, tail;

static void *producer(void *unused)
{
#ifdef FIXED
    unsigned t = atomic_load(&tail), h = atomic_load(&head);
#else
    unsigned h = atomic_load(&head), t = atomic_load(&tail);
#endif

    do {
        if (h - t >= SLOTS)
            return NULL;
    } while (!atomic_compare_exchange_strong(&head, &h, h + 1));
    return unused;
}

static int take(void)
{
    unsigned t = atomic_load(&tail), h = atomic_load(&head);

    if (h == t)
        return 0;
    atomic_store(&tail, t + 1);
    return 1;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, producer, NULL);
    for (int i = 0; i < 2; i++)
        while (!take())
            ;
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
