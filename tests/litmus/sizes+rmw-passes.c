/* SPDX-License-Identifier: MIT
 *
 * An RMW does not wait for the neighbour's byte.
 *
 * sc: never
 * tso: never
 * pso: sometimes
 * pslo: sometimes
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    c.byte[2] = 1;
    r0 = __atomic_exchange_n(&c.half[0], 2, __ATOMIC_RELAXED);
}

THREAD(right)
{
    r1 = c.half[0];
    fencer_fence_ll();
    r2 = c.byte[2];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r1 == 2 && r2 == 0);
}
