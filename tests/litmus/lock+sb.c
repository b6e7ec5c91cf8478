/* SPDX-License-Identifier: MIT
 *
 * SB under a mutex.
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
fencer_ghost long r0, r1;

THREAD(left)
{
    pthread_mutex_lock(&m);
    x = 1;
    r0 = y;
    pthread_mutex_unlock(&m);
}

THREAD(right)
{
    pthread_mutex_lock(&m);
    y = 1;
    r1 = x;
    pthread_mutex_unlock(&m);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
