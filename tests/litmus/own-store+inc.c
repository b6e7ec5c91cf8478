/* SPDX-License-Identifier: MIT
 *
 * An RMW waits for the own store of its address.
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
    x = 5;
    r0 = __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
}

THREAD(right)
{
    r1 = x;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0);
}
