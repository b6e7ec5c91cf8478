/* SPDX-License-Identifier: MIT
 *
 * A trap, far from any access.
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
    pthread_create(&t, NULL, go, NULL);
    y = 1;
    pthread_join(t, NULL);
    y = 2;

    __builtin_trap(); /* here */
    return 0;
}
