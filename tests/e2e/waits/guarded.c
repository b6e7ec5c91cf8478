/* SPDX-License-Identifier: MIT
 *
 * A wait for a condition on C11 (waits.sh).  What its round reads is written
 * under the mutex, before the waiter is made, or after it was joined: no round
 * need be explored that ends by itself.
 *
 *   -DRACY   `ready` is also written without the mutex, to no effect: only a
 *            round in vain reads it at the same time
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static int ready, limit;
static atomic_int is_over;

static void *wait_until_ready(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (ready < limit)
        pthread_cond_wait(&told, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *make_ready(void *unused)
{
#ifdef RACY
    ready = 0;
#endif
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&told);
    pthread_mutex_unlock(&mutex);
    atomic_store_explicit(&is_over, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t waiter, maker;

    pthread_create(&maker, NULL, make_ready, NULL);
    limit = 1;
    pthread_create(&waiter, NULL, wait_until_ready, NULL);
    pthread_join(waiter, NULL);
    limit = 0; /* the maker may be there yet */
    limit = atomic_load_explicit(&is_over, memory_order_relaxed);
    pthread_join(maker, NULL);
    return 0;
}
