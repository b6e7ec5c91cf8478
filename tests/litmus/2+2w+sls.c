/* SPDX-License-Identifier: MIT
 *
 * 2+2W with store-load fences: the wrong kind.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: never, race
 */
#include "litmus.h"

int x, y;

THREAD(left)
{
    x = 1;
    fencer_fence_sl();
    y = 2;
}

THREAD(right)
{
    y = 1;
    fencer_fence_sl();
    x = 2;
}

LITMUS(left, right)
{
    OBSERVE(x);
    OBSERVE(y);
    EXISTS(x == 1 && y == 1);
}
