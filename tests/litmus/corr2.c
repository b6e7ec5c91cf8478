/* SPDX-License-Identifier: MIT
 *
 * CoRR2: two readers agree on the order of two stores.
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

THREAD(first)
{
    x = 1;
}

THREAD(second)
{
    x = 2;
}

THREAD(third)
{
    r0 = x;
    r1 = x;
}

THREAD(fourth)
{
    r2 = x;
    r3 = x;
}

LITMUS(first, second, third, fourth)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r0 == 1 && r1 == 2 && r2 == 2 && r3 == 1);
}
