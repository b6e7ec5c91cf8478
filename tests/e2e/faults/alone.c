/* SPDX-License-Identifier: MIT
 *
 * The same in a program without threads.
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

    (void)t;
    (void)go;
    *p = 3; /* here */
    return 0;
}
