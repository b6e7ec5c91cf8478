/* SPDX-License-Identifier: MIT
 *
 * A wide CAS fails on the own narrow store under it.
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
    r0 = cas(&c.half[0], 0, 5, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

THREAD(right)
{
    r1 = c.half[0];
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0);
}
