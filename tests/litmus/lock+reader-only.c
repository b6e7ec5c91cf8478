/* SPDX-License-Identifier: MIT
 *
 * MP whose reader takes a mutex around both loads: they may pass each other
 * inside.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    fencer_fence_ss();
    y = 1;
}

THREAD(right)
{
    pthread_mutex_lock(&m);
    r0 = y;
    r1 = x;
    pthread_mutex_unlock(&m);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
