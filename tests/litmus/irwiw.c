/* SPDX-License-Identifier: MIT
 *
 * IRWIW: IRIW with one of the final reads turned into a write.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2;

THREAD(first)
{
    x = 2;
}

THREAD(second)
{
    r0 = x;
    r1 = y;
}

THREAD(third)
{
    y = 1;
}

THREAD(fourth)
{
    r2 = y;
    x = 1;
}

LITMUS(first, second, third, fourth)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(x);
    EXISTS(r0 == 2 && r1 == 0 && r2 == 1 && x == 2);
}
