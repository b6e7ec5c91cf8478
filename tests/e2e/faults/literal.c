/* SPDX-License-Identifier: MIT
 *
 * A store to a string literal.
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
    char *text = (char *)"literal";

    pthread_create(&t, NULL, go, NULL);
    y = 1;
    pthread_join(t, NULL);
    y = 2;
    text[0] = 'L'; /* here */
    return 0;
}
