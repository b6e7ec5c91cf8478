/* SPDX-License-Identifier: MIT
 *
 * W+RR+2W: message passing whose reader is early for z and whose first store
 * is late.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    y = 1;
}

THREAD(middle)
{
    r0 = y;
    r1 = z;
}

THREAD(right)
{
    z = 1;
    x = 2;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(x);
    EXISTS(r0 == 1 && r1 == 0 && x == 1);
}
