/* SPDX-License-Identifier: MIT
 *
 * Z6.0: x and y are passed on, the last thread's store to z is late and its
 * load of x early.
 *
 * sc: never
 * tso: sometimes
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
    z = 2;
    r1 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(z);
    EXISTS(r0 == 1 && z == 2 && r1 == 0);
}
