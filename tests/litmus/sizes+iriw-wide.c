/* SPDX-License-Identifier: MIT
 *
 * IRIW with wide loads: each sees one moment, so that all agree.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0, r1;

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
    r0 = c.half[0];
}

THREAD(fourth)
{
    r1 = c.half[0];
}

LITMUS(first, second, third, fourth)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 1 && r1 == 256);
}
