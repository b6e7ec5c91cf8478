/* SPDX-License-Identifier: MIT
 *
 * 2+2W under a mutex.
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

THREAD(left)
{
    pthread_mutex_lock(&m);
    x = 1;
    y = 2;
    pthread_mutex_unlock(&m);
}

THREAD(right)
{
    pthread_mutex_lock(&m);
    y = 1;
    x = 2;
    pthread_mutex_unlock(&m);
}

LITMUS(left, right)
{
    OBSERVE(x);
    OBSERVE(y);
    EXISTS(x == 1 && y == 1);
}
