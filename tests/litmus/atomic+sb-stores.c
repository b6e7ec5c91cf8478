/* SPDX-License-Identifier: MIT
 *
 * SB, the stores in blocks: they are never buffered, but on PSLO later loads
 * may pass them.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: sometimes
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    fencer_atomic
    {
        x = 1;
    }
    r0 = y;
}

THREAD(right)
{
    fencer_atomic
    {
        y = 1;
    }
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
