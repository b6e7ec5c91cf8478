/* SPDX-License-Identifier: MIT
 *
 * A load of memory that nobody mapped, when all others have ended.
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
    int *p = (int *)0x7000000000;

    pthread_create(&t, NULL, go, NULL);
    y = 1;
    pthread_join(t, NULL);
    y = 2;
    x = *p; /* here */
    return 0;
}
