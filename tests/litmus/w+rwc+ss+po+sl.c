/* SPDX-License-Identifier: MIT
 *
 * W+RWC without the load-load fence.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    fencer_fence_ss();
    y = 1;
}

THREAD(middle)
{
    r0 = y;
    r1 = z;
}

THREAD(right)
{
    z = 1;
    fencer_fence_sl();
    r2 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 0 && r2 == 0);
}
