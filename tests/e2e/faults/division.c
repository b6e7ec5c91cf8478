/* SPDX-License-Identifier: MIT
 *
 * A division by zero, far from any access.
 */
#include <pthread.h>

static int x, y;

static void *go(void *unused)
{
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    volatile int zero = 0;
    int n = 77;

    pthread_create(&t, NULL, go, NULL);
    y = 1;
    pthread_join(t, NULL);
    y = 2;

    n /= zero; /* here */
    y = n;
    return 0;
}
