/* SPDX-License-Identifier: MIT
 *
 * LB with data dependencies: no value out of thin air.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    r0 = x;
    y = r0;
}

THREAD(right)
{
    r1 = y;
    x = r1;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 != 0 || r1 != 0);
}
