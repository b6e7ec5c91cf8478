/* SPDX-License-Identifier: MIT
 *
 * WRR+2W: the reader sees x but not y, the pair of stores went in the other
 * order.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 2;
}

THREAD(middle)
{
    r0 = x;
    r1 = y;
}

THREAD(right)
{
    y = 1;
    x = 1;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(x);
    EXISTS(r0 == 2 && r1 == 0 && x == 2);
}
