/* SPDX-License-Identifier: MIT
 *
 * R with full fences.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0;

THREAD(left)
{
    x = 1;
    fencer_fence_full();
    y = 1;
}

THREAD(right)
{
    y = 2;
    fencer_fence_full();
    r0 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(y);
    EXISTS(y == 2 && r0 == 0);
}
