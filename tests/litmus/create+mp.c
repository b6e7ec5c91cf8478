/* SPDX-License-Identifier: MIT
 *
 * MP from creator to child.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1;

THREAD(child)
{
    r0 = y;
    r1 = x;
}

THREAD(left)
{
    SPAWN(child);
    x = 1;
    y = 1;
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
    EXISTS(r0 == 1 && r1 == 0);
}
