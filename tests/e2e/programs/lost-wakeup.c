/* SPDX-License-Identifier: MIT
 *
 * A condition that is tested outside the lock: the signal comes between the
 * test and the wait.
 *
 * expect: 1 lost wake-up
 * fixed: 0
 * options: --model sc
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static volatile int ready;

static void *producer(void *unused)
{
    (void)unused;
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    ready = 1;
    pthread_cond_signal(&changed);
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a;

    pthread_create(&a, NULL, producer, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    return 0;
}
