/* SPDX-License-Identifier: MIT
 *
 * A message and its flag, and a flag for each of two threads that want to be
 * alone.  Every order is too weak; each line has one access.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, wants[2];
static int message, inside;

#ifdef MESSAGE
static void *left(void *argument)
{
    message = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return argument;
}

static void *right(void *argument)
{
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        ;
    assert(message == 42);
    return argument;
}
#else
static void enter(void)
{
    inside++;
    assert(inside == 1);
    inside--;
}

static void *left(void *argument)
{
    atomic_store_explicit(&wants[0], 1, memory_order_relaxed);
    if (!atomic_load_explicit(&wants[1], memory_order_relaxed))
        enter();
    return argument;
}

static void *right(void *argument)
{
    atomic_store_explicit(&wants[1], 1, memory_order_relaxed);
    if (!atomic_load_explicit(&wants[0], memory_order_relaxed))
        enter();
    return argument;
}
#endif

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return message != 42 && inside;
}
