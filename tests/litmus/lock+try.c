/* SPDX-License-Identifier: MIT
 *
 * A trylock that fails says that the mutex is taken; what came before may
 * not be out on PSO.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}

THREAD(right)
{
    r0 = pthread_mutex_trylock(&m);
    if (r0 == 0) {
        pthread_mutex_unlock(&m);
    }
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 16 && r1 == 0);
}
