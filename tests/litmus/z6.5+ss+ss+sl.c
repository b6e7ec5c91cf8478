/* SPDX-License-Identifier: MIT
 *
 * Z6.5 with exactly the fences it needs.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0;

THREAD(left)
{
    x = 1;
    fencer_fence_ss();
    y = 1;
}

THREAD(middle)
{
    y = 2;
    fencer_fence_ss();
    z = 1;
}

THREAD(right)
{
    z = 2;
    fencer_fence_sl();
    r0 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(y);
    OBSERVE(z);
    EXISTS(y == 2 && z == 2 && r0 == 0);
}
