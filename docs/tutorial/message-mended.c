/* SPDX-License-Identifier: MIT
 *
 * The tutorial, step 2: a message, and a flag that says that it is there.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int message;
static atomic_int ready;

static void *sender(void *unused)
{
    message = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

static void *receiver(void *unused)
{
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    assert(message == 42);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
