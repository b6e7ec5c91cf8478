/* SPDX-License-Identifier: MIT
 *
 * Who joins a thread sees both of its stores.
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
    x = 1;
    y = 1;
}

THREAD(left)
{
    SPAWN(child);
    JOIN(child);
    r0 = y;
    r1 = x;
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
