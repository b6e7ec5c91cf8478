/* SPDX-License-Identifier: MIT
 *
 * SB with a pthread_join in between: it does not drain the joiner.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1;

THREAD(child)
{
    z = 1;
}

THREAD(left)
{
    SPAWN(child);
    x = 1;
    JOIN(child);
    r0 = y;
}

THREAD(right)
{
    y = 1;
    fencer_fence_full();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
