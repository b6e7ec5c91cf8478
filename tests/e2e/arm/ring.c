/* SPDX-License-Identifier: MIT
 *
 * A ring of one slot.  The consumer says too early that it is empty: ARM may
 * read the slot after that, when the producer has filled it again.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifdef FIXED
#define DONE memory_order_release
#else
#define DONE memory_order_relaxed
#endif
static int slot;
static atomic_uint head, tail;

static void *produce(void *arg)
{
    for (unsigned i = 0; i < 2; i++) {
        while (i - atomic_load_explicit(&head, memory_order_acquire) == 1)
            ;
        slot = (int)i + 1;
        atomic_store_explicit(&tail, i + 1, memory_order_release);
    }
    return arg;
}

static void *consume(void *arg)
{
    for (unsigned i = 0; i < 2; i++) {
        int got;

        while (atomic_load_explicit(&tail, memory_order_acquire) == i)
            ;
        got = slot;
        atomic_store_explicit(&head, i + 1, DONE);
        assert(got == (int)i + 1);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, produce, NULL);
    pthread_create(&b, NULL, consume, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
