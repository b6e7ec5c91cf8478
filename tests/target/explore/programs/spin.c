/* SPDX-License-Identifier: MIT
 *
 * Two flags and two spin loops: both see the other at once, or one of them
 * waits in vain and is parked. */
#include <pthread.h>

static volatile int x, y;

static void *left(void *unused)
{
    x = 1;
    while (!y) {
    }
    return unused;
}

static void *right(void *unused)
{
    y = 1;
    while (!x) {
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
