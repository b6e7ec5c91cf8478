/* SPDX-License-Identifier: MIT
 *
 * CoRW2: a store made after reading another's lands after it.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x;
fencer_ghost long r0;

THREAD(left)
{
    r0 = x;
    x = 1;
}

THREAD(right)
{
    x = 2;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(x);
    EXISTS(r0 == 2 && x == 2);
}
