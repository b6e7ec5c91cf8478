/* SPDX-License-Identifier: MIT
 *
 * What it observes is longer than what is kept of it: on every model the same
 * as on SC, whatever is beyond.
 */
#include <fencer.h>
#include <pthread.h>

static int x;

static void *add(void *unused)
{
    x++;
    for (int i = 0; i < 40; i++)
        fencer_observe("a_rather_long_label", i);
    fencer_observe("x", x);
    return unused;
}

int main(void)
{
    pthread_t one, other;

    pthread_create(&one, NULL, add, NULL);
    pthread_create(&other, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
