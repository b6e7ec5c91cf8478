/* SPDX-License-Identifier: MIT
 *
 * Two exchanges: one sees the other.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never
 */
#include "litmus.h"

int x;
fencer_ghost long r0, r1;

THREAD(left)
{
    r0 = __atomic_exchange_n(&x, 1, __ATOMIC_RELAXED);
}

THREAD(right)
{
    r1 = __atomic_exchange_n(&x, 2, __ATOMIC_RELAXED);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS((r0 == 0 && r1 == 0) || (r0 == 2 && r1 == 1));
}
