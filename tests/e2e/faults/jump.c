/* SPDX-License-Identifier: MIT
 *
 * A jump into another thread's frame: refused.
 */
#include <pthread.h>
#include <setjmp.h>

static jmp_buf place;
static int x;

static void *go(void *unused)
{
    x = 1;
    longjmp(place, 1); /* here */
    return unused;
}

int main(void)
{
    pthread_t t;

    if (setjmp(place))
        return 0;
    pthread_create(&t, NULL, go, NULL);
    pthread_join(t, NULL);
    return 0;
}
