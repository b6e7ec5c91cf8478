/* SPDX-License-Identifier: MIT
 *
 * A creation is before the new thread, and a fence of nobody else: a reader
 * that was there may see the flag without the message.  -DFENCED: main has a
 * fence.  -DCHILD: the new thread reads; it sees what was before it, also what
 * its creator was created after.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int message, flag, inner;

static void *reader(void *unused)
{
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(atomic_load_explicit(&message, memory_order_relaxed) == 1);
    return unused;
}

static void *grandchild(void *unused)
{
    assert(atomic_load_explicit(&message, memory_order_relaxed) == 1);
    atomic_store_explicit(&inner, 1, memory_order_relaxed);
    return unused;
}

static void *child(void *unused)
{
#ifdef CHILD
    pthread_t t;

    pthread_create(&t, NULL, grandchild, NULL);
    pthread_join(t, NULL);
#else
    (void)grandchild;
#endif
    return unused;
}

int main(void)
{
    pthread_t r, c;

    pthread_create(&r, NULL, reader, NULL);
    atomic_store_explicit(&message, 1, memory_order_relaxed);
    pthread_create(&c, NULL, child, NULL);
#if defined FENCED || defined CHILD
    atomic_thread_fence(memory_order_release);
#endif
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    pthread_join(c, NULL);
#ifdef CHILD
    assert(atomic_load_explicit(&inner, memory_order_relaxed) == 1);
#endif
    pthread_join(r, NULL);
    return 0;
}
