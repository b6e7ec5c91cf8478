/* SPDX-License-Identifier: MIT
 *
 * SB+rfi with store-load fences after the own loads.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2, r3;

THREAD(left)
{
    x = 1;
    r0 = x;
    fencer_fence_sl();
    r1 = y;
}

THREAD(right)
{
    y = 1;
    r2 = y;
    fencer_fence_sl();
    r3 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r1 == 0 && r3 == 0);
}
