/* SPDX-License-Identifier: MIT
 *
 * Choices in two threads, and a race: 3 * 2 choices, two orders. */
#include <fencer.h>
#include <pthread.h>

static volatile int x;

static void *set(void *unused)
{
    x = (int)fencer_choose(3);
    return unused;
}

static void *look(void *unused)
{
    (void)fencer_choose(2);
    (void)x;
    return unused;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
