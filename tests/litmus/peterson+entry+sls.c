/* SPDX-License-Identifier: MIT
 *
 * Entry of Peterson's lock with store-load fences.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    z = 1;
    fencer_fence_sl();
    r0 = y;
}

THREAD(right)
{
    y = 1;
    z = 2;
    fencer_fence_sl();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
