/* SPDX-License-Identifier: MIT
 *
 * A trylock that fails is a CAS that fails: it drains on TSO only.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    r2 = pthread_mutex_trylock(&m);
    r0 = y;
    if (r2 == 0) {
        pthread_mutex_unlock(&m);
    }
}

THREAD(right)
{
    pthread_mutex_lock(&m);
    y = 1;
    fencer_fence_full();
    r1 = x;
    pthread_mutex_unlock(&m);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 0 && r1 == 0 && r2 == 16);
}
