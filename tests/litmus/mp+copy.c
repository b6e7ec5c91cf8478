/* SPDX-License-Identifier: MIT
 *
 * The flag is copied on by data; its store stays after the load it comes
 * from.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
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
    z = r0;
}

THREAD(right)
{
    r1 = z;
    fencer_fence_ll();
    r2 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 1 && r2 == 0);
}
