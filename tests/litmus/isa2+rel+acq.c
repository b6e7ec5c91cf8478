/* SPDX-License-Identifier: MIT
 *
 * ISA2 with release and acquire.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x, y, z;
fencer_ghost long r0, r1, r2;

THREAD(left)
{
    x = 1;
    __atomic_store_n(&y, 1, __ATOMIC_RELEASE);
}

THREAD(middle)
{
    r0 = __atomic_load_n(&y, __ATOMIC_ACQUIRE);
    __atomic_store_n(&z, 1, __ATOMIC_RELEASE);
}

THREAD(right)
{
    r1 = __atomic_load_n(&z, __ATOMIC_ACQUIRE);
    r2 = x;
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    EXISTS(r0 == 1 && r1 == 1 && r2 == 0);
}
