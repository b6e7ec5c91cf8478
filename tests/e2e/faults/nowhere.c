/* SPDX-License-Identifier: MIT
 *
 * A store to an address that is none; without its upper bits it is null.
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
    int *p = (int *)0x8000000000000010;

    pthread_create(&t, NULL, go, NULL);
    y = 1;
    pthread_join(t, NULL);
    y = 2;
    *p = 3; /* here */
    return 0;
}
