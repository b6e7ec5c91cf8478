/* SPDX-License-Identifier: MIT
 *
 * A CAS sees the own store of its address, and succeeds.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x;
fencer_ghost long r0, r1;

THREAD(left)
{
    x = 1;
    r0 = cas(&x, 1, 2, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

THREAD(right)
{
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(x);
    EXISTS(r0 == 0 || x == 1);
}
