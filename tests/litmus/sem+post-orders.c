/* SPDX-License-Identifier: MIT
 *
 * MP with a post between the stores: a release RMW keeps what is before it
 * before what follows, for its own write is never buffered.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
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
