/* SPDX-License-Identifier: MIT
 *
 * SB with a pthread_create in between: it drains, but on PSLO a later load
 * may be older.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: sometimes
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1;

THREAD(child)
{
    z = 1;
}

THREAD(left)
{
    x = 1;
    SPAWN(child);
    r0 = y;
    JOIN(child);
}

THREAD(right)
{
    y = 1;
    fencer_fence_full();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
