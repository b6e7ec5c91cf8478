/* SPDX-License-Identifier: MIT
 *
 * WWC: write-to-write causality. Every step is a load before a store, which
 * all models keep.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 2;
}

THREAD(middle)
{
    r0 = x;
    y = 1;
}

THREAD(right)
{
    r1 = y;
    x = 1;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(x);
    EXISTS(r0 == 2 && r1 == 1 && x == 2);
}
