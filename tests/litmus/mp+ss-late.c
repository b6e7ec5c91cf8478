/* SPDX-License-Identifier: MIT
 *
 * MP on the two stores before the fence: they are not ordered.
 *
 * sc: never
 * tso: never
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
    z = 1;
    fencer_fence_ss();
    y = 1;
}

THREAD(right)
{
    r0 = z;
    fencer_fence_ll();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
