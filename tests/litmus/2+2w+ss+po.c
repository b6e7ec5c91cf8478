/* SPDX-License-Identifier: MIT
 *
 * 2+2W with one store-store fence.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;

THREAD(left)
{
    x = 1;
    fencer_fence_ss();
    y = 2;
}

THREAD(right)
{
    y = 1;
    x = 2;
}

LITMUS(left, right)
{
    OBSERVE(x);
    OBSERVE(y);
    EXISTS(x == 1 && y == 1);
}
