/* SPDX-License-Identifier: MIT
 *
 * SB through locks: on TSO a lock is a fence, unless --locks paper makes its
 * release a store that waits.  With ROOM other stores come between instead: a
 * buffer with --buffer 1 has the first one in memory when the load comes.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x[2], beside[2];
static int saw[2];
static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void *go(void *arg)
{
    int me = (int)(long)arg;

#ifdef ROOM
    atomic_store_explicit(&x[me], 1, memory_order_relaxed);
    atomic_store_explicit(&beside[me], 1, memory_order_relaxed);
#else
    pthread_mutex_lock(&mutex[me]);
    atomic_store_explicit(&x[me], 1, memory_order_relaxed);
    pthread_mutex_unlock(&mutex[me]);
#endif
    saw[me] = atomic_load_explicit(&x[!me], memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, go, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(saw[0] || saw[1]);
    return 0;
}
