/* SPDX-License-Identifier: MIT
 *
 * n6: a load forwarded from the own buffer does not wait for stores of
 * others that memory gets first. The program that SOBER's definition of TSO
 * misses.
 *
 * sc: never
 * tso: sometimes
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    r0 = x;
    r1 = y;
}

THREAD(right)
{
    y = 2;
    x = 2;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(x);
    EXISTS(r0 == 1 && r1 == 0 && x == 1);
}
