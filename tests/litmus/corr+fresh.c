/* SPDX-License-Identifier: MIT
 *
 * The same with a load-load fence: the second load of x is fresh.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    fencer_fence_ss();
    y = 1;
}

THREAD(right)
{
    r0 = x;
    r1 = y;
    fencer_fence_ll();
    r2 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r1 == 1 && r2 == 0);
}
