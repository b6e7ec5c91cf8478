/* SPDX-License-Identifier: MIT
 *
 * 4.SB with store-load fences.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int w, x, y, z;
fencer_ghost long r0, r1, r2, r3;

THREAD(first)
{
    w = 1;
    fencer_fence_sl();
    r0 = x;
}

THREAD(second)
{
    x = 1;
    fencer_fence_sl();
    r1 = y;
}

THREAD(third)
{
    y = 1;
    fencer_fence_sl();
    r2 = z;
}

THREAD(fourth)
{
    z = 1;
    fencer_fence_sl();
    r3 = w;
}

LITMUS(first, second, third, fourth)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r0 == 0 && r1 == 0 && r2 == 0 && r3 == 0);
}
