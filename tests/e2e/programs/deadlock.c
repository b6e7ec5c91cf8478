/* SPDX-License-Identifier: MIT
 *
 * Three philosophers.
 *
 * expect: 1 deadlock
 * fixed: 0
 * options: --model sc --runs 5000
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define COUNT 3

static pthread_mutex_t fork_at[COUNT] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};

static void *philosopher(void *arg)
{
    int left = (int)(intptr_t)arg, right = (left + 1) % COUNT;

#ifdef FIXED
    if (left > right) {
        int swap = left;

        left = right;
        right = swap;
    }
#endif
    pthread_mutex_lock(&fork_at[left]);
    pthread_mutex_lock(&fork_at[right]);
    pthread_mutex_unlock(&fork_at[right]);
    pthread_mutex_unlock(&fork_at[left]);
    return NULL;
}

int main(void)
{
    pthread_t id[COUNT];

    for (int i = 0; i < COUNT; i++)
        pthread_create(&id[i], NULL, philosopher, (void *)(intptr_t)i);
    for (int i = 0; i < COUNT; i++)
        pthread_join(id[i], NULL);
    return 0;
}
