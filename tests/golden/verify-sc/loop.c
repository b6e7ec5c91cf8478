/* SPDX-License-Identifier: MIT
 *
 * A loop that changes something until somebody stops it: it has as many
 * iterations as there is patience.
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;
static atomic_int turns;

static void *turn(void *unused)
{
    while (!atomic_load(&stop))
        atomic_fetch_add(&turns, 1);
    return unused;
}

int main(void)
{
    pthread_t a;

    pthread_create(&a, NULL, turn, NULL);
    atomic_store(&stop, 1);
    pthread_join(a, NULL);
    return 0;
}
