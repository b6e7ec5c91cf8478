/* SPDX-License-Identifier: MIT
 *
 * Message passing with a plain flag.  x86 keeps stores in order and loads in
 * order, so it works there; SPARC PSO commits the flag before the message,
 * and a machine that reorders loads reads the message before the flag.
 *
 *   sc, tso:  correct        arm, pso, pslo, c11:  broken
 *
 * -DFENCED publishes with release and reads with acquire, which is right
 * everywhere.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FENCED
#define PUBLISH memory_order_release
#define SUBSCRIBE memory_order_acquire
#else
#define PUBLISH memory_order_relaxed
#define SUBSCRIBE memory_order_relaxed
#endif

static int message;
static atomic_int ready;

static void *sender(void *unused)
{
    (void)unused;
    message = 42;
    atomic_store_explicit(&ready, 1, PUBLISH);
    return NULL;
}

static void *receiver(void *unused)
{
    (void)unused;
    while (!atomic_load_explicit(&ready, SUBSCRIBE))
        ;
    assert(message == 42);
    return NULL;
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
