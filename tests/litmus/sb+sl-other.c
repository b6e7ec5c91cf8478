/* SPDX-License-Identifier: MIT
 *
 * SB with another store after the store-load fence: the load waits for the
 * one before the fence only.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int w, x, y, z;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    fencer_fence_sl();
    z = 1;
    r0 = y;
}

THREAD(right)
{
    y = 1;
    fencer_fence_sl();
    w = 1;
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
