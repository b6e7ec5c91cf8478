/* SPDX-License-Identifier: MIT
 *
 * A load that may come from the own buffer, between two stores of another
 * thread: 6 orders on SC, 9 where stores wait. */
#include <pthread.h>

static int y, seen;

static void *one(void *unused)
{
    y = 1;
    seen = y;
    return unused;
}

static void *two(void *unused)
{
    y = 2;
    y = 3;
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
