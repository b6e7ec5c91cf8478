/* SPDX-License-Identifier: MIT
 *
 * SB with relaxed RMWs and store-load fences: an RMW is a store too.
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

THREAD(left)
{
    r2 = __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
    fencer_fence_sl();
    r0 = y;
}

THREAD(right)
{
    r3 = __atomic_fetch_add(&y, 1, __ATOMIC_RELAXED);
    fencer_fence_sl();
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
