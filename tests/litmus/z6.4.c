/* SPDX-License-Identifier: MIT
 *
 * Z6.4: R and SB share a cycle of six accesses.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    y = 1;
}

THREAD(middle)
{
    y = 2;
    r0 = z;
}

THREAD(right)
{
    z = 1;
    r1 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(y);
    EXISTS(y == 2 && r0 == 0 && r1 == 0);
}
