/* SPDX-License-Identifier: MIT
 *
 * n4: each thread reads the other's store before it makes its own.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x;
fencer_ghost long r0, r1, r2, r3;

THREAD(left)
{
    r0 = x;
    x = 1;
    r1 = x;
}

THREAD(right)
{
    r2 = x;
    x = 2;
    r3 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r0 == 2 && r1 == 1 && r2 == 1 && r3 == 2);
}
