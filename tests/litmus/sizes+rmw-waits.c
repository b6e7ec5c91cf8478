/* SPDX-License-Identifier: MIT
 *
 * An RMW waits for an own store it overlaps in part.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 */
#include "litmus.h"

union cell c;
fencer_ghost long r0, r1;

THREAD(left)
{
    c.byte[1] = 1;
    r0 = __atomic_exchange_n(&c.half[0], 2, __ATOMIC_RELAXED);
}

THREAD(right)
{
    r1 = c.half[0];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 != 256);
}
