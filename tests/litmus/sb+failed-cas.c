/* SPDX-License-Identifier: MIT
 *
 * SB with a CAS that fails in between: it drains on TSO like one that does
 * not.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 * c11: sometimes, race
 */
#include "litmus.h"

int w, x, y, z;
fencer_ghost long r0, r1, r2, r3;

THREAD(left)
{
    x = 1;
    r2 = cas(&z, 5, 6, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    r0 = y;
}

THREAD(right)
{
    y = 1;
    r3 = cas(&w, 5, 6, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
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
