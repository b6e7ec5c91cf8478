/* SPDX-License-Identifier: MIT
 *
 * The store after the store-load fence is late, although the one before it
 * is out.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y, z;
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
    fencer_fence_full();
    r1 = z;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
