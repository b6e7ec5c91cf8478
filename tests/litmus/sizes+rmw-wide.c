/* SPDX-License-Identifier: MIT
 *
 * An RMW of eight bytes waits for a store to one of them.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    c.byte[5] = 1;
    r0 = __atomic_fetch_add(&c.whole, 1, __ATOMIC_RELAXED);
}

THREAD(right)
{
    r1 = c.byte[0];
    fencer_fence_ll();
    r2 = c.byte[5];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r1 == 1 && r2 == 0);
}
