/* SPDX-License-Identifier: MIT
 *
 * CoRW1: a load does not see the own store that comes after it.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x;
fencer_ghost long r0, r1;

THREAD(left)
{
    r0 = x;
    x = 1;
}

THREAD(right)
{
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1);
}
