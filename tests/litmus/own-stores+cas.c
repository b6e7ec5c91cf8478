/* SPDX-License-Identifier: MIT
 *
 * A CAS waits for both own stores of its address, and fails.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    x = 2;
    r0 = cas(&x, 1, 3, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

THREAD(right)
{
    r1 = x;
    r2 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(x);
    EXISTS(r0 != 2 || x != 2);
}
