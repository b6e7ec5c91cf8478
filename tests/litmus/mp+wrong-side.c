/* SPDX-License-Identifier: MIT
 *
 * MP with fences before and after, where they order nothing.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    fencer_fence_ss();
    x = 1;
    y = 1;
    fencer_fence_ss();
}

THREAD(right)
{
    fencer_fence_ll();
    r0 = y;
    r1 = x;
    fencer_fence_ll();
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
