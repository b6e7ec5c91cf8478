/* SPDX-License-Identifier: MIT
 *
 * A plain reader in program order sees the block whole, unless its loads are
 * reordered.
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
        y = 1;
    }
}

THREAD(right)
{
    r0 = x;
    r1 = y;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
