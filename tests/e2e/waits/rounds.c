/* SPDX-License-Identifier: MIT
 *
 * Waits that must not be left out (waits-guarded.sh): each of these fails only
 * if a round with a wait is explored.  Without any of them nothing fails.
 *
 *   -DCROWD   two wait and one is told: the other waits for ever
 *   -DAFTER   who was woken counts that
 *   -DBEFORE  who waits counts that
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static bool ready;
static int count;

static void *wait_until_ready(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!ready) {
#ifdef BEFORE
        count++;
#endif
        pthread_cond_wait(&told, &mutex);
#ifdef AFTER
        count++;
#endif
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t waiters[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&waiters[i], NULL, wait_until_ready, NULL);
    pthread_mutex_lock(&mutex);
    ready = true;
#ifdef CROWD
    pthread_cond_signal(&told);
#else
    pthread_cond_broadcast(&told);
#endif
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 2; i++)
        pthread_join(waiters[i], NULL);
    assert(count == 0);
    return 0;
}
