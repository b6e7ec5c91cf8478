/* SPDX-License-Identifier: MIT
 *
 * Load buffering.  -DBRANCH: a branch on the load comes before the store, which
 * processors keep behind it then.  -DBEHIND: it comes after the store.
 * -DCHOICE: it only chooses a value, as compilers do without one.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;

static void pass(atomic_int *from, atomic_int *to)
{
#if defined BRANCH
    if (atomic_load_explicit(from, memory_order_relaxed) == 7)
        abort();
    atomic_store_explicit(to, 1, memory_order_relaxed);
#elif defined BEHIND
    int seen = atomic_load_explicit(from, memory_order_relaxed);

    atomic_store_explicit(to, 1, memory_order_relaxed);
    if (seen == 7)
        abort();
#else
    int seen = atomic_load_explicit(from, memory_order_relaxed) == 7 ? 1 : 0;

    atomic_store_explicit(to, 1, memory_order_relaxed);
    if (seen)
        abort();
#endif
}

static void *there(void *arg)
{
    pass(&x, &y);
    return arg;
}

static void *back(void *arg)
{
    pass(&y, &x);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, there, NULL);
    pthread_create(&b, NULL, back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
