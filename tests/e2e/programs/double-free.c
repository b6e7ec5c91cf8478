/* SPDX-License-Identifier: MIT
 *
 * Two threads that both think they are the last.
 *
 * expect: 1 double free
 * fixed: 0
 * options: --model sc
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int users = 2;
static void *shared;

static void *leave(void *unused)
{
    (void)unused;
#ifdef FIXED
    if (atomic_fetch_sub(&users, 1) == 1)
        free(shared);
#else
    atomic_fetch_sub(&users, 1);
    if (atomic_load(&users) == 0)
        free(shared);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    shared = malloc(10);
    pthread_create(&a, NULL, leave, NULL);
    pthread_create(&b, NULL, leave, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
