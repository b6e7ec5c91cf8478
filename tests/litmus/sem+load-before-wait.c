/* SPDX-License-Identifier: MIT
 *
 * A load before the wait is ordered with nothing the other thread did before
 * its post: it may see it or not, on SC too.
 *
 * sc: sometimes
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

int x;
sem_t s;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    sem_post(&s);
}

THREAD(right)
{
    r0 = x;
    sem_wait(&s);
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 1);
}
