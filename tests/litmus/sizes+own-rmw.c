/* SPDX-License-Identifier: MIT
 *
 * What an RMW has seen is in memory, and so is what it wrote: a load that takes
 * a byte from it finds the others no older.
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
    r0 = __atomic_fetch_add(&c.byte[1], 1, __ATOMIC_RELAXED);
    r1 = c.whole;
}

THREAD(right)
{
    c.whole = 0x0202020202020202;
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 2 && r1 != 0x0202020202020302);
}
