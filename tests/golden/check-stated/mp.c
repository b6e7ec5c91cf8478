/* SPDX-License-Identifier: MIT
 *
 * A message, with and without orders.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef ORDERED
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire
#else
#define RELEASE memory_order_relaxed
#define ACQUIRE memory_order_relaxed
#endif

#ifdef ATOMIC
static atomic_int message;
#else
static int message;
#endif
static atomic_int ready;

static void *writer(void *unused)
{
#ifdef ATOMIC
    atomic_store_explicit(&message, 1, memory_order_relaxed);
#else
    message = 1;
#endif
    atomic_store_explicit(&ready, 1, RELEASE);
    return unused;
}

static void *reader(void *unused)
{
    if (!atomic_load_explicit(&ready, ACQUIRE))
        return unused;
#ifdef ATOMIC
    assert(atomic_load_explicit(&message, memory_order_relaxed));
#elif defined CHECKED
    assert(message);
#else
    (void)*(volatile int *)&message;
#endif
    return unused;
}

int main(void)
{
    pthread_t w, r;

    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
