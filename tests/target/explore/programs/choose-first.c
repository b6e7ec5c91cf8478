/* SPDX-License-Identifier: MIT
 *
 * Choices before there is a second thread, and increments that race: 2 * 3
 * choices, four traces. */
#include <fencer.h>
#include <pthread.h>

static volatile int x;

static void *increment(void *unused)
{
    x++;
    return unused;
}

int main(void)
{
    pthread_t other;
    unsigned chosen = fencer_choose(2);

    chosen += 2 * fencer_choose(3);
    pthread_create(&other, NULL, increment, NULL);
    x++;
    pthread_join(other, NULL);
    fencer_observe("chosen", chosen);
    return 0;
}
