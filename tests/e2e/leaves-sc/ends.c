/* SPDX-License-Identifier: MIT
 *
 * Store buffering without harm, on a variable that dies with its thread: the
 * last that happens is that thread's end and its join.
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local volatile int own;
static volatile int *volatile shown;
static volatile int common;

static void *thread(void *none)
{
    pthread_mutex_lock(&lock);
    shown = &own;
    pthread_mutex_unlock(&lock);
    own = 1;
#ifdef FENCED
    __sync_synchronize();
#endif
    (void)common;
    pthread_mutex_lock(&lock);
    shown = NULL;
    pthread_mutex_unlock(&lock);
    return none;
}

int main(void)
{
    pthread_t id;

    pthread_create(&id, NULL, thread, NULL);
    common = 1;
#ifdef FENCED
    __sync_synchronize();
#endif
    pthread_mutex_lock(&lock);
    if (shown)
        (void)*shown;
    pthread_mutex_unlock(&lock);
    pthread_join(id, NULL);
    return 0;
}
