/* SPDX-License-Identifier: MIT
 *
 * IRIW with full fences.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2, r3;

THREAD(first)
{
    x = 1;
}

THREAD(second)
{
    y = 1;
}

THREAD(third)
{
    r0 = x;
    fencer_fence_full();
    r1 = y;
}

THREAD(fourth)
{
    r2 = y;
    fencer_fence_full();
    r3 = x;
}

LITMUS(first, second, third, fourth)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0);
}
