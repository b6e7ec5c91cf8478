/* SPDX-License-Identifier: MIT
 *
 * WRW+WR: causality through y, which the last thread overwrites late.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
}

THREAD(middle)
{
    r0 = x;
    y = 1;
}

THREAD(right)
{
    y = 2;
    r1 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(y);
    EXISTS(r0 == 1 && y == 2 && r1 == 0);
}
