/* SPDX-License-Identifier: MIT
 *
 * 4.LB: load buffering around four threads, a cycle of eight accesses.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int w, x, y, z;
fencer_ghost long r0, r1, r2, r3;

THREAD(first)
{
    r0 = w;
    x = 1;
}

THREAD(second)
{
    r1 = x;
    y = 1;
}

THREAD(third)
{
    r2 = y;
    z = 1;
}

THREAD(fourth)
{
    r3 = z;
    w = 1;
}

LITMUS(first, second, third, fourth)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r0 == 1 && r1 == 1 && r2 == 1 && r3 == 1);
}
