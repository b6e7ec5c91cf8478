/* SPDX-License-Identifier: MIT
 *
 * A counter under a mutex: no increment is lost.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never
 */
#include "litmus.h"

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
fencer_ghost long r0, r1;

THREAD(left)
{
    pthread_mutex_lock(&m);
    r0 = x;
    x = r0 + 1;
    pthread_mutex_unlock(&m);
}

THREAD(right)
{
    pthread_mutex_lock(&m);
    r1 = x;
    x = r1 + 1;
    pthread_mutex_unlock(&m);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(x);
    EXISTS(x != 2);
}
