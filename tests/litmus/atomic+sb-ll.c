/* SPDX-License-Identifier: MIT
 *
 * SB with an atomic block of one store on the left, and a load-load fence
 * after it: the block is like an RMW, so that the fence keeps it.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    fencer_atomic
    {
        x = 1;
    }
    fencer_fence_ll();
    r0 = y;
}

THREAD(right)
{
    y = 1;
    fencer_fence_full();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
