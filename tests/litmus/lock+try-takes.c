/* SPDX-License-Identifier: MIT
 *
 * A trylock that succeeds is a lock.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    pthread_mutex_lock(&m);
    x = 1;
    y = 1;
    pthread_mutex_unlock(&m);
}

THREAD(right)
{
    r0 = pthread_mutex_trylock(&m);
    if (r0 == 0) {
        r1 = y;
        r2 = x;
        pthread_mutex_unlock(&m);
    }
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r1 == 1 && r2 == 0);
}
