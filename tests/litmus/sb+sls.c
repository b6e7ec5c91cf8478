/* SPDX-License-Identifier: MIT
 *
 * SB with store-load fences: the kind that is needed.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    fencer_fence_sl();
    r0 = y;
}

THREAD(right)
{
    y = 1;
    fencer_fence_sl();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
