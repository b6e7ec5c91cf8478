/* SPDX-License-Identifier: MIT
 *
 * SB with a CAS of the own variable that succeeds.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2, r3;

THREAD(left)
{
    x = 1;
    r2 = cas(&x, 1, 2, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    r0 = y;
}

THREAD(right)
{
    y = 1;
    r3 = cas(&y, 1, 2, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r0 == 0 && r1 == 0);
}
