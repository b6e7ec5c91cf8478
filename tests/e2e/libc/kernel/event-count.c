/* SPDX-License-Identifier: MIT
 *
 * An event count: a consumer sleeps until the count changes.  -DLOST looks for
 * work before it notes the count, so that the event in between is missed.
 * -DTWICE has two consumers, of which each takes one.
 */
#include <assert.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int count, work, taken;

static void futex(int operation, int value)
{
    syscall(SYS_futex, &count, operation, value, NULL, NULL, 0);
}

static int take(void)
{
    int n = atomic_load(&work);

    while (n && !atomic_compare_exchange_strong(&work, &n, n - 1))
        ;
    return n;
}

static void *consumer(void *none)
{
    for (;;) {
#ifdef LOST
        int got = take();
        int seen = atomic_load(&count);
#else
        int seen = atomic_load(&count);
        int got = take();
#endif
        if (got)
            break;
        futex(FUTEX_WAIT, seen);
    }
    atomic_fetch_add(&taken, 1);
    return none;
}

static void produce(void)
{
    atomic_fetch_add(&work, 1);
    atomic_fetch_add(&count, 1);
    futex(FUTEX_WAKE, INT_MAX);
}

int main(void)
{
#ifdef TWICE
    pthread_t a, b;

    pthread_create(&a, NULL, consumer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    produce();
    produce();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(taken == 2);
#else
    pthread_t a;

    pthread_create(&a, NULL, consumer, NULL);
    produce();
    pthread_join(a, NULL);
    assert(taken == 1);
#endif
    return 0;
}
