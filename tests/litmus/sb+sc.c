/* SPDX-License-Identifier: MIT
 *
 * SB with C11's default order.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never
 */
#include "litmus.h"

_Atomic int x, y;
fencer_ghost long r0, r1;

THREAD(left)
{
    atomic_store(&x, 1);
    r0 = atomic_load(&y);
}

THREAD(right)
{
    atomic_store(&y, 1);
    r1 = atomic_load(&x);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
