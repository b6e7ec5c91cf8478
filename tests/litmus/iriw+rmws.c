/* SPDX-License-Identifier: MIT
 *
 * IRIW whose reads are RMWs, which stay in order.
 *
 * sc: never
 * tso: never
 * pso: never
 * pslo: never
 * c11: sometimes, race
 */
#include "litmus.h"

int x, y;
fencer_ghost long r0, r1, r2, r3;

THREAD(first)
{
    x = 1;
}

THREAD(second)
{
    y = 1;
}

THREAD(third)
{
    r0 = __atomic_fetch_add(&x, 0, __ATOMIC_RELAXED);
    r1 = __atomic_fetch_add(&y, 0, __ATOMIC_RELAXED);
}

THREAD(fourth)
{
    r2 = __atomic_fetch_add(&y, 0, __ATOMIC_RELAXED);
    r3 = __atomic_fetch_add(&x, 0, __ATOMIC_RELAXED);
}

LITMUS(first, second, third, fourth)
{
    OBSERVE(r0);
    OBSERVE(r1);
    OBSERVE(r2);
    OBSERVE(r3);
    EXISTS(r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0);
}
