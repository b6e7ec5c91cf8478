/* SPDX-License-Identifier: MIT
 *
 * Z6.2: the first store of a chain of two messages lands last.
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
    z = 1;
}

THREAD(right)
{
    r1 = z;
    x = 2;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(x);
    EXISTS(r0 == 1 && r1 == 1 && x == 1);
}
