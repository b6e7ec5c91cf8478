/* A ring whose executions are long: -DN elements through eight slots.  The
 * producer publishes with a plain order unless -DFIXED. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 20000
#endif
#define SLOTS 8u
#ifdef FIXED
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

static int slots[SLOTS];
static atomic_uint head, tail;

static void *produce(void *unused)
{
    for (int i = 0; i < N; i++) {
        unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);

        while (t - atomic_load_explicit(&head, memory_order_acquire) == SLOTS)
            ;
        slots[t % SLOTS] = i;
        atomic_store_explicit(&tail, t + 1, PUBLISH);
    }
    return unused;
}

static void *consume(void *unused)
{
    for (int i = 0; i < N; i++) {
        unsigned h = atomic_load_explicit(&head, memory_order_relaxed);

        while (atomic_load_explicit(&tail, memory_order_acquire) == h)
            ;
        assert(slots[h % SLOTS] == i);
        atomic_store_explicit(&head, h + 1, memory_order_release);
    }
    return unused;
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
