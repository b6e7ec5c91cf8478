/* SPDX-License-Identifier: MIT
 *
 * A chain of three stores with one store-store fence.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    z = 1;
    fencer_fence_ss();
    y = 1;
}

THREAD(right)
{
    r0 = y;
    fencer_fence_ll();
    r1 = z;
    fencer_fence_ll();
    r2 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS((r0 == 1 && r1 == 0) || (r1 == 1 && r2 == 0));
}
