/* SPDX-License-Identifier: MIT
 *
 * 3.SB with a full fence in each thread.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    fencer_fence_full();
    r0 = y;
}

THREAD(middle)
{
    y = 1;
    fencer_fence_full();
    r1 = z;
}

THREAD(right)
{
    z = 1;
    fencer_fence_full();
    r2 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 0 && r1 == 0 && r2 == 0);
}
