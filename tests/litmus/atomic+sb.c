/* SPDX-License-Identifier: MIT
 *
 * SB with blocks of other memory between: they drain on TSO only.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    fencer_atomic
    {
        r2 = z;
    }
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
    OBSERVE(r2);
    EXISTS(r0 == 0 && r1 == 0);
}
