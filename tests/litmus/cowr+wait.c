/* SPDX-License-Identifier: MIT
 *
 * CoWR on both sides, drained: both cannot be the first.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    fencer_fence_full();
    r0 = x;
}

THREAD(right)
{
    x = 2;
    fencer_fence_full();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 2 && r1 == 1);
}
