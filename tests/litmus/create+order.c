/* SPDX-License-Identifier: MIT
 *
 * A new thread sees both of two stores.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
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
    x = 1;
    y = 1;
    SPAWN(child);
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
    EXISTS(r0 == 0 || r1 == 0);
}
