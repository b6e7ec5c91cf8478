/* SPDX-License-Identifier: MIT
 *
 * MP with a lock between the reader's loads: it acquires.
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
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    fencer_fence_ss();
    y = 1;
}

THREAD(right)
{
    r0 = y;
    pthread_mutex_lock(&m);
    r1 = x;
    pthread_mutex_unlock(&m);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
