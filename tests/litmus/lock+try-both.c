/* SPDX-License-Identifier: MIT
 *
 * Two trylocks: one of them gets it.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    r0 = pthread_mutex_trylock(&m);
    if (r0 == 0) {
        x = 1;
        pthread_mutex_unlock(&m);
    }
}

THREAD(right)
{
    r1 = pthread_mutex_trylock(&m);
    if (r1 == 0) {
        r2 = x;
        x = 2;
        pthread_mutex_unlock(&m);
    }
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 16 && r1 == 16);
}
