/* SPDX-License-Identifier: MIT
 *
 * 3.LB: load buffering around three threads.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    r0 = x;
    y = 1;
}

THREAD(middle)
{
    r1 = y;
    z = 1;
}

THREAD(right)
{
    r2 = z;
    x = 1;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 1 && r2 == 1);
}
