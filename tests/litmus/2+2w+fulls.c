/* SPDX-License-Identifier: MIT
 *
 * 2+2W with full fences.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y;

THREAD(left)
{
    x = 1;
    fencer_fence_full();
    y = 2;
}

THREAD(right)
{
    y = 1;
    fencer_fence_full();
    x = 2;
}

LITMUS(left, right)
{
    OBSERVE(x);
    OBSERVE(y);
    EXISTS(x == 1 && y == 1);
}
