/* SPDX-License-Identifier: MIT
 *
 * CoRR with another variable in between.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    y = 1;
    x = 2;
}

THREAD(right)
{
    r0 = x;
    r1 = y;
    r2 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 2 && r2 == 1);
}
