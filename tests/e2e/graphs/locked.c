/* SPDX-License-Identifier: MIT
 *
 * A thread that stops as soon as it has taken a mutex, if another has not taken
 * it before: it does not wait for it.  -DNEVER: it always stops.
 */
#include <fencer.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static void *second(void *unused)
{
    pthread_mutex_lock(&mutex);
#ifdef NEVER
    fencer_assume(0);
#endif
    fencer_assume(taken);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, second, 0);
    pthread_mutex_lock(&mutex);
    taken = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(t, 0);
    return 0;
}
