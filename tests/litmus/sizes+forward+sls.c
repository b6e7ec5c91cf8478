/* SPDX-License-Identifier: MIT
 *
 * The same with store-load fences.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0, r1;

THREAD(left)
{
    c.byte[0] = 1;
    fencer_fence_sl();
    r0 = c.half[0];
}

THREAD(right)
{
    c.byte[1] = 1;
    fencer_fence_sl();
    r1 = c.half[0];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 256);
}
