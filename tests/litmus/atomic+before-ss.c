/* SPDX-License-Identifier: MIT
 *
 * A store-store fence before the block makes it wait.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    fencer_fence_ss();
    fencer_atomic
    {
        y = 1;
        z = 1;
    }
}

THREAD(right)
{
    r0 = z;
    fencer_fence_ll();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
