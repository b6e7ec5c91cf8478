/* SPDX-License-Identifier: MIT
 *
 * The post keeps nothing that comes after it: a store after it may be seen or
 * not, on SC too.
 *
 * sc: sometimes
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

int x, y;
sem_t s;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    sem_post(&s);
    y = 1;
}

THREAD(right)
{
    sem_wait(&s);
    r0 = y;
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 1);
}
