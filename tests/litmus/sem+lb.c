/* SPDX-License-Identifier: MIT
 *
 * LB by a semaphore: loads never move down past a post, which is an RMW.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x;
sem_t s;
fencer_ghost long r0;

THREAD(left)
{
    r0 = x;
    sem_post(&s);
}

THREAD(right)
{
    sem_wait(&s);
    x = 1;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(x);
    EXISTS(r0 == 1);
}
