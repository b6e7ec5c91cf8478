/* SPDX-License-Identifier: MIT
 *
 * 2+2W with store-store fences.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
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
    fencer_fence_ss();
    x = 2;
}

LITMUS(left, right)
{
    OBSERVE(x);
    OBSERVE(y);
    EXISTS(x == 1 && y == 1);
}
