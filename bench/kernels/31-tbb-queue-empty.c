/* SPDX-License-Identifier: MIT
 *
 * oneTBB, concurrent_queue: pull request 782; tests of CMS software failed on
 * ARM with it (cmssw issue 34647).  dotnet's ConcurrentQueue had the like
 * (78142).
 *
 * `try_pop` reads the head's counter, then the tail's, and calls the queue
 * empty if they are equal.  If the tail was read first, it may be compared with
 * a head that has moved since, in a queue that was never empty.
 *
 * To the user: an element is missing; a loop "until empty" ends too early.
 *
 * -DFIXED reads the head with acquire.
 *
 *   broken: pslo
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ll after unsigned long ticket =
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef FIXED
#define READ memory_order_acquire
#else
#define READ memory_order_relaxed
#endif

static atomic_ulong head_counter, tail_counter = 1; /* one element */

static bool try_pop(void)
{
    unsigned long ticket = atomic_load_explicit(&head_counter, READ);
    do {
        unsigned long tail =
            atomic_load_explicit(&tail_counter, memory_order_relaxed);
        if ((long)(tail - ticket) <= 0)
            return false;
    } while (
        !atomic_compare_exchange_strong(&head_counter, &ticket, ticket + 1));
    return true;
}

static void *popper(void *unused)
{
    bool popped = try_pop();

    (void)unused;
    assert(popped);
    return NULL;
}

static void *push_and_pop(void *unused)
{
    (void)unused;
    atomic_fetch_add(&tail_counter, 1);
    try_pop();
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, popper, NULL);
    pthread_create(&b, NULL, push_and_pop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
