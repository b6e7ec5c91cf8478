/* SPDX-License-Identifier: MIT
 *
 * WRC under a mutex.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never
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
    y = 1;
    pthread_mutex_unlock(&m);
}

THREAD(right)
{
    pthread_mutex_lock(&m);
    r1 = y;
    r2 = x;
    pthread_mutex_unlock(&m);
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 1 && r2 == 0);
}
