/* SPDX-License-Identifier: MIT
 *
 * W+RW+2W: a message, passed on, then two stores; the very first store lands
 * last.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0;

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
    x = 2;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(z);
    OBSERVE(x);
    EXISTS(r0 == 1 && z == 2 && x == 1);
}
