/* SPDX-License-Identifier: MIT
 *
 * Two threads append to an array that has room for one of them.
 *
 * expect: 1 out of bounds
 * fixed: 0
 * options: --model sc
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#define ROOM 5

static int *array;
static atomic_int used = ROOM - 1;

static void *append(void *unused)
{
    (void)unused;
#ifdef FIXED
    int at = atomic_fetch_add(&used, 1);

    if (at < ROOM)
        array[at] = 1;
#else
    if (atomic_load(&used) < ROOM)
        array[atomic_fetch_add(&used, 1)] = 1;
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    array = malloc(ROOM * sizeof *array);
    pthread_create(&a, NULL, append, NULL);
    pthread_create(&b, NULL, append, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(array);
    return 0;
}
