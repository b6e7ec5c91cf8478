/* SPDX-License-Identifier: MIT
 *
 * SB whose stores are relaxed exchanges: they are out at once, but on PSLO
 * later loads may pass them.
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
    r2 = __atomic_exchange_n(&x, 1, __ATOMIC_RELAXED);
    r0 = y;
}

THREAD(right)
{
    r3 = __atomic_exchange_n(&y, 1, __ATOMIC_RELAXED);
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
