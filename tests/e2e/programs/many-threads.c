/* SPDX-License-Identifier: MIT
 *
 * Five thousand threads at once are more than Fencer has room for: it says so.
 * Five hundred are not.
 *
 * expect: 3 threads
 * fixed: 0
 * options: --model tso --runs 2
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifdef FIXED
#define COUNT 500
#else
#define COUNT 5000
#endif

static pthread_t id[COUNT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < COUNT; i++)
        assert(pthread_create(&id[i], NULL, worker, NULL) == 0);
    for (int i = 0; i < COUNT; i++)
        pthread_join(id[i], NULL);
    assert(sum == COUNT);
    return 0;
}
