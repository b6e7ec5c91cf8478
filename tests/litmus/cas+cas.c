/* SPDX-License-Identifier: MIT
 *
 * Two CASes from the same value: one fails.
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
    r0 = cas(&x, 0, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

THREAD(right)
{
    r1 = cas(&x, 0, 2, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    EXISTS(r0 == 0 && r1 == 0);
}
