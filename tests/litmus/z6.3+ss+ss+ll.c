/* SPDX-License-Identifier: MIT
 *
 * Z6.3 with exactly the fences it needs.
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
    fencer_fence_ss();
    z = 1;
}

THREAD(right)
{
    r0 = z;
    fencer_fence_ll();
    r1 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(y);
    EXISTS(y == 2 && r0 == 1 && r1 == 0);
}
