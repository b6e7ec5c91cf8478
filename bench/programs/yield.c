/* SPDX-License-Identifier: MIT
 *
 * Two threads that yield COUNT times each: what a switch costs with the
 * scheduler's choice around it.
 */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>

static long count;

static void *yielder(void *unused)
{
    (void)unused;
    for (long i = 0; i < count; i++)
        sched_yield();
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    count = argc > 1 ? atol(argv[1]) : 1;
    pthread_create(&a, NULL, yielder, NULL);
    pthread_create(&b, NULL, yielder, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
