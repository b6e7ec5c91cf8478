/* SPDX-License-Identifier: MIT
 *
 * IRIW on two bytes.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: sometimes
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0, r1, r2, r3;

THREAD(first)
{
    c.byte[0] = 1;
}

THREAD(second)
{
    c.byte[1] = 1;
}

THREAD(third)
{
    r0 = c.byte[0];
    r1 = c.byte[1];
}

THREAD(fourth)
{
    r2 = c.byte[1];
    r3 = c.byte[0];
}

LITMUS(first, second, third, fourth)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0);
}
