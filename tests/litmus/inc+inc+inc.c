/* SPDX-License-Identifier: MIT
 *
 * Three relaxed increments and a reader: none is lost.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: never, race
 */
#include "litmus.h"

int x;
fencer_ghost long r0, r1, r2, r3;

THREAD(first)
{
    r0 = __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
}

THREAD(second)
{
    r1 = __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
}

THREAD(third)
{
    r2 = __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
}

THREAD(fourth)
{
    r3 = x;
}

LITMUS(first, second, third, fourth)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    OBSERVE(x);
    EXISTS(x != 3);
}
