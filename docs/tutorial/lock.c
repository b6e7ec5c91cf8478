/* SPDX-License-Identifier: MIT
 *
 * docs/writing-tests.md: a spin lock, and a test of it.  TAKE and GIVE are its
 * orders, so that each can be weakened from outside: that must be noticed.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef TAKE
#define TAKE memory_order_acquire
#endif
#ifndef GIVE
#define GIVE memory_order_release
#endif

static atomic_int locked;
static int counter; /* what the lock protects */

static void lock(void)
{
    while (atomic_exchange_explicit(&locked, 1, TAKE))
        ;
}

static void unlock(void)
{
    atomic_store_explicit(&locked, 0, GIVE);
}

static void *worker(void *unused)
{
    lock();
    counter++;
    unlock();
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); /* no increment was lost */
    return 0;
}
