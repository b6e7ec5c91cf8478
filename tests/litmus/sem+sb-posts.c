/* SPDX-License-Identifier: MIT
 *
 * SB with posts: their stores are out, but on PSLO the loads may pass them.
 *
 * sc: never
 * tso: never
 * pso: never
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
    r0 = y;
}

THREAD(right)
{
    y = 1;
    sem_post(&s);
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
