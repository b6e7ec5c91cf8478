/* SPDX-License-Identifier: MIT
 *
 * IRIW, the readers each in one block: both see the same memory.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2, r3;

THREAD(left)
{
    x = 1;
}

THREAD(middle)
{
    fencer_atomic
    {
        r0 = x;
        r1 = y;
    }
}

THREAD(other)
{
    fencer_atomic
    {
        r2 = y;
        r3 = x;
    }
}

THREAD(right)
{
    y = 1;
}

LITMUS(left, middle, other, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0);
}
