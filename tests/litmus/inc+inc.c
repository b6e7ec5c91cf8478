/* SPDX-License-Identifier: MIT
 *
 * Two relaxed increments: none is lost.
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
    r0 = __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
}

THREAD(right)
{
    r1 = __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
}

LITMUS(left, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(x);
    EXISTS(x == 1);
}
