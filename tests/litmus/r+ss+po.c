/* SPDX-License-Identifier: MIT
 *
 * R with the store-store fence only.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0;

THREAD(left)
{
    x = 1;
    fencer_fence_ss();
    y = 1;
}

THREAD(right)
{
    y = 2;
    r0 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(y);
    EXISTS(y == 2 && r0 == 0);
}
