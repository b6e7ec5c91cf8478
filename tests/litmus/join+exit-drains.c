/* SPDX-License-Identifier: MIT
 *
 * A thread's exit drains its buffer: what the joiner writes comes after it
 * for everybody.
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
    z = 1;
}

THREAD(right)
{
    r0 = z;
    fencer_fence_ll();
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
