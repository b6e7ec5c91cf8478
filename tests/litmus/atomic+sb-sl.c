/* SPDX-License-Identifier: MIT
 *
 * SB, the loads in blocks after store-load fences.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    fencer_fence_sl();
    fencer_atomic
    {
        r0 = y;
    }
}

THREAD(right)
{
    y = 1;
    fencer_fence_sl();
    fencer_atomic
    {
        r1 = x;
    }
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
