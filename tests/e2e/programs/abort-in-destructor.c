/* SPDX-License-Identifier: MIT
 *
 * A thread-specific key's destructor that aborts.
 *
 * expect: 1 abort
 * fixed: 0
 * options: --model tso --runs 50
 */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_key_t key;

static void destroy(void *value)
{
#ifdef FIXED
    free(value);
#else
    (void)value;
    abort();
#endif
}

static void *worker(void *unused)
{
    (void)unused;
    pthread_setspecific(key, malloc(8));
    return NULL;
}

int main(void)
{
    pthread_t a;

    pthread_key_create(&key, destroy);
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    return 0;
}
