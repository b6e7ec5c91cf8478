/* SPDX-License-Identifier: MIT
 *
 * The library calls back into instrumented code, which takes a lock and may
 * be switched away from in the middle.
 *
 * expect: 0
 * options: --model sc,tso,pso,pslo --runs 100
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long calls;

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    pthread_mutex_lock(&lock);
    calls++;
    pthread_mutex_unlock(&lock);
    return (x > y) - (x < y);
}

static void *worker(void *arg)
{
    int *array = arg, key = 7, *found;

    qsort(array, 8, sizeof *array, compare);
    for (int i = 1; i < 8; i++)
        assert(array[i - 1] <= array[i]);
    found = bsearch(&key, array, 8, sizeof *array, compare);
    assert(found && *found == 7);
    return NULL;
}

int main(void)
{
    int one[8] = {5, 7, 1, 8, 3, 9, 2, 6}, *two = malloc(sizeof one);
    pthread_t a, b;

    for (int i = 0; i < 8; i++)
        two[i] = 8 - i;
    pthread_create(&a, NULL, worker, one);
    pthread_create(&b, NULL, worker, two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(calls > 16);
    free(two);
    return 0;
}
