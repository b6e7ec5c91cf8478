/* SPDX-License-Identifier: MIT
 *
 * A cancellation ends a wait, whatever it is for.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t never;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *nothing(void *arg)
{
    return arg;
}

static void *wait(void *arg)
{
    pthread_t other;

    pthread_create(&other, NULL, nothing, NULL);
#ifdef SLEEPS
    for (;;)
        sleep(1);
#elif defined CONDS
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
#elif defined WAITS
    sem_wait(&never);
#else
    pthread_join(other, NULL);
    sem_wait(&never);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;

    sem_init(&never, 0, 0);
    pthread_create(&t, NULL, wait, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
