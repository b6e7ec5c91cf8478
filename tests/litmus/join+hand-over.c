/* SPDX-License-Identifier: MIT
 *
 * What the child saw, the joiner sees.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(child)
{
    r0 = y;
}

THREAD(left)
{
    SPAWN(child);
    JOIN(child);
    r1 = x;
}

THREAD(right)
{
    x = 1;
    fencer_fence_full();
    y = 1;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
