/* SPDX-License-Identifier: MIT
 *
 * A wait for a condition may end by itself.  Who does not look again goes on
 * without what it waited for.
 *
 * expect: 1 woken by nobody
 * fixed: 0
 * options: --model sc,tso --runs 500
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *consume(void *none)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (!ready)
#else
    if (!ready)
#endif
        pthread_cond_wait(&changed, &lock);
    assert(ready);
    pthread_mutex_unlock(&lock);
    return none;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, consume, NULL);
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&changed);
    pthread_join(t, NULL);
    return 0;
}
