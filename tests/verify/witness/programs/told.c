/* SPDX-License-Identifier: MIT
 *
 * A condition variable and a barrier on the way to accesses that race.
 */
#include <fencer.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int ready, x, y;
fencer_ghost long r0, r1;

static void *tells(void *unused)
{
    x = 1;
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    y = 1;
    r0 = x;
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *waits(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    x = 2;
    r1 = y;
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, tells, NULL);
    pthread_create(&b, NULL, waits, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
