/* SPDX-License-Identifier: MIT
 *
 * The store that unlocks may wait while a later load looks at memory: the cycle
 * runs through the mutex.  FENCED: it never does.
 */
#include <fencer.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int flag;

static void *first(void *argument)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
#ifdef FENCED
    fencer_fence_full();
#endif
    (void)flag;
    return argument;
}

static void *second(void *argument)
{
    flag = 1;
    fencer_fence_full();
    if (pthread_mutex_trylock(&m) == 0)
        pthread_mutex_unlock(&m);
    return argument;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
