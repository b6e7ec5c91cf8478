/* SPDX-License-Identifier: MIT
 *
 * 3.2W with store-store fences.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y, z;

THREAD(left)
{
    x = 2;
    fencer_fence_ss();
    y = 1;
}

THREAD(middle)
{
    y = 2;
    fencer_fence_ss();
    z = 1;
}

THREAD(right)
{
    z = 2;
    fencer_fence_ss();
    x = 1;
}

LITMUS(left, middle, right)
{
    OBSERVE(x);
    OBSERVE(y);
    OBSERVE(z);
    EXISTS(x == 2 && y == 2 && z == 2);
}
