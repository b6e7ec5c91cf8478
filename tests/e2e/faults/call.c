/* SPDX-License-Identifier: MIT
 *
 * A call of what is no function.
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
    void (*volatile f)(void) = (void (*)(void))0x1234560000;

    pthread_create(&t, NULL, go, NULL);
    y = 1;
    pthread_join(t, NULL);
    y = 2;

    f(); /* here */
    return 0;
}
