/* SPDX-License-Identifier: MIT
 *
 * SB between creator and child.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1;

THREAD(child)
{
    y = 1;
    r1 = x;
}

THREAD(left)
{
    SPAWN(child);
    x = 1;
    r0 = y;
    JOIN(child);
}

THREAD(right)
{
    z = 1;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
