/* SPDX-License-Identifier: MIT
 *
 * A join cuts the joiner's histories: nothing older than the join.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
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
    r0 = y;
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
