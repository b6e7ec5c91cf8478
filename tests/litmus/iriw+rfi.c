/* SPDX-License-Identifier: MIT
 *
 * IRIW with two readers who are the writers, and a third who agrees with one
 * of them.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2, r3, r4, r5;

THREAD(left)
{
    x = 1;
    r0 = x;
    r1 = y;
}

THREAD(middle)
{
    y = 1;
    r2 = y;
    r3 = x;
}

THREAD(right)
{
    r4 = x;
    r5 = y;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    OBSERVE(r4);
    OBSERVE(r5);
    EXISTS(r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0 && r4 == 1 && r5 == 0);
}
