/* SPDX-License-Identifier: MIT
 *
 * Both wait for what the other has put an end to.  On SC one of them waits for
 * ever, so that what it waits for never happens there; on TSO both may go on.
 */
#include <pthread.h>

volatile int x, z;

static void *left(void *unused)
{
    z = 1;
    while (x != 0)
        ;
    return unused;
}

static void *right(void *unused)
{
    x = 1;
    while (z != 0)
        ;
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
