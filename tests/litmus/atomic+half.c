/* SPDX-License-Identifier: MIT
 *
 * Two updates in one block are never seen half by another block.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    fencer_atomic
    {
        x = 1;
        y = 1;
    }
}

THREAD(right)
{
    fencer_atomic
    {
        r0 = x;
        r1 = y;
    }
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS((r0 == 1 && r1 == 0) || (r0 == 0 && r1 == 1));
}
