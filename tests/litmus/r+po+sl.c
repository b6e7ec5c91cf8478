/* SPDX-License-Identifier: MIT
 *
 * R with the store-load fence only: TSO keeps the stores in order.
 *
 * sc: never
 * tso: never
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
    y = 1;
}

THREAD(right)
{
    y = 2;
    fencer_fence_sl();
    r0 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(y);
    EXISTS(y == 2 && r0 == 0);
}
