/* SPDX-License-Identifier: MIT
 *
 * SB with the fences before the stores, where they order nothing.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    fencer_fence_sl();
    x = 1;
    r0 = y;
}

THREAD(right)
{
    fencer_fence_sl();
    y = 1;
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
