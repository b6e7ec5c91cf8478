/* SPDX-License-Identifier: MIT
 *
 * Message passing, with a flag or by the address of the message, and load
 * buffering: which machines a verdict speaks of (verdict.sh).
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ST
#define ST memory_order_release
#endif
#ifndef LD
#define LD memory_order_acquire
#endif

static atomic_int data, flag;

#if defined MP
static void first(void)
{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, ST);
}
static void second(void)
{
    if (atomic_load_explicit(&flag, LD))
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
}
#elif defined ADDRESS
static _Atomic(atomic_int *) message;
static void first(void)
{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&message, &data, ST);
}
static void second(void)
{
    atomic_int *m = atomic_load_explicit(&message, LD); /* line 39 */

    if (m)
        assert(atomic_load_explicit(m, memory_order_relaxed) == 1);
}
#elif defined LB
static int a, b;
static void first(void)
{
    a = atomic_load_explicit(&data, LD);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
}
static void second(void)
{
    b = atomic_load_explicit(&flag, LD);
    atomic_store_explicit(&data, 1, memory_order_relaxed);
}
#endif

static void *run_first(void *arg)
{
    first();
    return arg;
}

static void *run_second(void *arg)
{
    second();
    return arg;
}

int main(void)
{
    pthread_t s, t;

    pthread_create(&s, NULL, run_first, NULL);
    pthread_create(&t, NULL, run_second, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
#ifdef LB
    assert(!(a && b));
#endif
    return 0;
}
