/* SPDX-License-Identifier: MIT
 *
 * CoWW: two stores of one thread to one variable land in order.
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
    x = 1;
    x = 2;
}

THREAD(right)
{
    r0 = x;
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(x);
    EXISTS(x == 1 || (r0 == 2 && r1 == 1));
}
