/* SPDX-License-Identifier: MIT
 *
 * A spin lock that is taken without acquire: Crystal pull requests 13050 and
 * 14272.
 *
 * Unlocking is a release store; locking is an atomic exchange without an order.
 * What is read inside may have been read before the lock was taken.
 *
 * To the user: two fibers resume the same one; crashes on aarch64.
 *
 * -DFIXED locks with acquire.
 *
 *   broken: pslo
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ll before counter = counter + 1;
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FIXED
#define LOCK memory_order_acquire
#else
#define LOCK memory_order_relaxed
#endif

static atomic_int locked;
static volatile int counter;

static void *thread(void *unused)
{
    (void)unused;
    while (atomic_exchange_explicit(&locked, 1, LOCK))
        ;
    counter = counter + 1;
    atomic_store_explicit(&locked, 0, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, thread, NULL);
    pthread_create(&b, NULL, thread, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
