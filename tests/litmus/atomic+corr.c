/* SPDX-License-Identifier: MIT
 *
 * CoRR, the first load in a block: the second reads nothing older.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
}

THREAD(right)
{
    fencer_atomic
    {
        r0 = x;
    }
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 0);
}
