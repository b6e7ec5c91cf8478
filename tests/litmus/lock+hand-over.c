/* SPDX-License-Identifier: MIT
 *
 * WRC where the first step is a mutex.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
}

THREAD(middle)
{
    pthread_mutex_lock(&m);
    r0 = x;
    pthread_mutex_unlock(&m);
    y = 1;
}

THREAD(right)
{
    r1 = y;
    fencer_fence_ll();
    r2 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 1 && r2 == 0);
}
