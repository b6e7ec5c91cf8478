/* SPDX-License-Identifier: MIT
 *
 * SB with an empty critical section of one mutex in between: who locks
 * second has seen all.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    r0 = y;
}

THREAD(right)
{
    y = 1;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
