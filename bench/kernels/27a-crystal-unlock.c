/* SPDX-License-Identifier: MIT
 *
 * Crystal's locks on aarch64, letting go: issue 13010, pull requests 13050 and
 * 14272; edk2 issue 9993 is of this kind too.
 *
 * The lock is taken with a seq_cst exchange and let go with a plain store, as
 * x86 allows.  What was written inside may reach memory later.
 *
 * To the user: twenty fibers append a million elements to an array under a
 * mutex, and it holds 930,000.
 *
 * -DFIXED lets go with release.
 *
 *   broken: pso
 *   failure: assertion failed
 *   fixed: pslo
 *   fence: ss after size = size + 1;
 *   verify: arm broken, riscv broken, power broken, c11 broken
 *   verify -DFIXED: arm right, riscv right, power right, c11 right
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef FIXED
#define LEAVE memory_order_release
#else
#define LEAVE memory_order_relaxed
#endif

static atomic_int locked;
static volatile int size; /* of the array */

static void *fiber(void *unused)
{
    (void)unused;
    while (atomic_exchange(&locked, 1))
        ;
    size = size + 1;
    atomic_store_explicit(&locked, 0, LEAVE); /* lazy_set */
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, fiber, NULL);
    pthread_create(&b, NULL, fiber, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(size == 2);
    return 0;
}
