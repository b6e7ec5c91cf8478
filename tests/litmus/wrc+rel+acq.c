/* SPDX-License-Identifier: MIT
 *
 * WRC with release and acquire.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
}

THREAD(middle)
{
    r0 = __atomic_load_n(&x, __ATOMIC_RELAXED);
    __atomic_store_n(&y, 1, __ATOMIC_RELEASE);
}

THREAD(right)
{
    r1 = __atomic_load_n(&y, __ATOMIC_ACQUIRE);
    r2 = __atomic_load_n(&x, __ATOMIC_RELAXED);
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 1 && r2 == 0);
}
