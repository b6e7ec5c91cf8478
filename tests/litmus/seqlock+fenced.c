/* SPDX-License-Identifier: MIT
 *
 * A sequence lock with its fences.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes, race
 */
#include "litmus.h"

int s, x, y;
fencer_ghost long r0, r1, r2, r3;

THREAD(left)
{
    s = 1;
    fencer_fence_ss();
    x = 1;
    y = 1;
    fencer_fence_ss();
    s = 2;
}

THREAD(right)
{
    r0 = s;
    fencer_fence_ll();
    r1 = x;
    r2 = y;
    fencer_fence_ll();
    r3 = s;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r0 == 2 && r3 == 2 && (r1 == 0 || r2 == 0));
}
