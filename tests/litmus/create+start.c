/* SPDX-License-Identifier: MIT
 *
 * A thread created after the flag was seen sees the message.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(child)
{
    r1 = x;
}

THREAD(left)
{
    x = 1;
    fencer_fence_full();
    y = 1;
}

THREAD(right)
{
    r0 = y;
    SPAWN(child);
    JOIN(child);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
