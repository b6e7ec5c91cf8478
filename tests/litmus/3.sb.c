/* SPDX-License-Identifier: MIT
 *
 * 3.SB: store buffering around three threads.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    r0 = y;
}

THREAD(middle)
{
    y = 1;
    r1 = z;
}

THREAD(right)
{
    z = 1;
    r2 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 0 && r1 == 0 && r2 == 0);
}
