/* SPDX-License-Identifier: MIT
 *
 * A mutex that is unlocked on a way that did not lock it.
 *
 * expect: 1 mutex is not locked
 * fixed: 0
 * options: --model sc
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared;

static void *worker(void *unused)
{
    (void)unused;
    if (shared) {
        pthread_mutex_lock(&lock);
        shared = 2;
#ifdef FIXED
        pthread_mutex_unlock(&lock);
#endif
    }
#ifndef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a;

    pthread_create(&a, NULL, worker, NULL);
    shared = 1;
    pthread_join(a, NULL);
    return 0;
}
