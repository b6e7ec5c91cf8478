/* SPDX-License-Identifier: MIT
 *
 * Two threads, each waiting in a loop for the other to go first.
 *
 * expect: 1 livelock
 * fixed: 0
 * options: --model sc
 */
#include <pthread.h>
#include <stddef.h>

static volatile int turn_of_a, turn_of_b;

static void *first(void *unused)
{
    (void)unused;
    while (!turn_of_a)
        ;
    turn_of_b = 1;
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    while (!turn_of_b)
        ;
    turn_of_a = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;

#ifdef FIXED
    turn_of_a = 1;
#endif
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
