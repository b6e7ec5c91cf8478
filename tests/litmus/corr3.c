/* SPDX-License-Identifier: MIT
 *
 * CoRR with two stores and three loads: the reader only goes forward.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    x = 2;
}

THREAD(right)
{
    r0 = x;
    r1 = x;
    r2 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS((r0 == 2 && r1 == 1) || (r1 == 2 && r2 == 1) ||
           (r0 == 1 && r1 == 0));
}
