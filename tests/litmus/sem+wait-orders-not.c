/* SPDX-License-Identifier: MIT
 *
 * MP with a wait between the stores: it is no release, the first store may stay
 * in the buffer on PSO.  TSO drains it.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

int x, y;
sem_t s;
fencer_ghost long r0, r1;

THREAD(left)
{
    sem_post(&s);
    x = 1;
    sem_wait(&s);
    y = 1;
}

THREAD(right)
{
    r0 = y;
    fencer_fence_ll();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
