/* SPDX-License-Identifier: MIT
 *
 * 4.SB: store buffering around four threads, a cycle of eight accesses.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int w, x, y, z;
fencer_ghost long r0, r1, r2, r3;

THREAD(first)
{
    w = 1;
    r0 = x;
}

THREAD(second)
{
    x = 1;
    r1 = y;
}

THREAD(third)
{
    y = 1;
    r2 = z;
}

THREAD(fourth)
{
    z = 1;
    r3 = w;
}

LITMUS(first, second, third, fourth)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r0 == 0 && r1 == 0 && r2 == 0 && r3 == 0);
}
