/* SPDX-License-Identifier: MIT
 *
 * WRW+2W: a store that was seen is overtaken by the second store of a pair.
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
    x = 2;
}

THREAD(middle)
{
    r0 = x;
    y = 1;
}

THREAD(right)
{
    y = 2;
    x = 1;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(y);
    OBSERVE(x);
    EXISTS(r0 == 2 && y == 2 && x == 2);
}
