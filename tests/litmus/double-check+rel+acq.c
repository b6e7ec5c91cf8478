/* SPDX-License-Identifier: MIT
 *
 * Double-checked initialisation with release and acquire.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never
 */
#include "litmus.h"

int f, x;
fencer_ghost long r0, r1, r2, r3;

THREAD(left)
{
    x = 7;
    __atomic_store_n(&f, 1, __ATOMIC_RELEASE);
}

THREAD(middle)
{
    r0 = __atomic_load_n(&f, __ATOMIC_ACQUIRE);
    if (r0 == 1) {
        r1 = x;
    }
}

THREAD(right)
{
    r2 = __atomic_load_n(&f, __ATOMIC_ACQUIRE);
    if (r2 == 1) {
        r3 = x;
    }
}

LITMUS(left, middle, right)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS((r0 == 1 && r1 == 0) || (r2 == 1 && r3 == 0));
}
