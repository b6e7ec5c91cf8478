/* SPDX-License-Identifier: MIT
 *
 * Z6.4 with exactly the fences it needs.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    fencer_fence_ss();
    y = 1;
}

THREAD(middle)
{
    y = 2;
    fencer_fence_sl();
    r0 = z;
}

THREAD(right)
{
    z = 1;
    fencer_fence_sl();
    r1 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(y);
    EXISTS(y == 2 && r0 == 0 && r1 == 0);
}
